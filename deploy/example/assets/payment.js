// The payment frame sends the card to its own server. Then it gives the shop's page the token for the card, and no
// more.

const form = document.getElementById("card");
const said = document.getElementById("card-status");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const response = await fetch("/payment", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(Object.fromEntries(new FormData(form))),
  });
  const { token, lastDigits, error } = await response.json();
  said.textContent = response.ok ? `The card ending in ${lastDigits} is accepted.` : error;
  if (response.ok) parent.postMessage({ token, lastDigits }, form.dataset.shop);
});
