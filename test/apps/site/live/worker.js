// Counts primes beside the page, long enough to be noticed.
self.onmessage = ({ data }) => {
  const until = performance.now() + 120;
  let count = 0;
  for (let at = 2; at <= data; at++) if (isPrime(at)) count++;
  while (performance.now() < until);
  postMessage(count);
};

function isPrime(number) {
  for (let by = 2; by * by <= number; by++) if (number % by === 0) return false;
  return true;
}
