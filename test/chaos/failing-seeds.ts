// Seeds whose inputs were once answered wrongly: every run of the fuzz begins with them.

export const failingSeeds: readonly { seed: number; was: string }[] = [];
