// Seeds whose inputs once got wrong answers. Every run of the fuzz begins with them.

export const failingSeeds: readonly { seed: number; was: string }[] = [
  { seed: 61322, was: "a key named __proto__ was an INTERNAL error" },
  { seed: 4139, was: "the number of an unknown color scheme was an INTERNAL error" },
];
