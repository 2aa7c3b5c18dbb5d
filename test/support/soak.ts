/** How often something is done: a few times in every run of the suite, often with `npm test -- --soak`. */
export const times = (suite: number, soak: number): number =>
  process.env['SLIPWAY_SOAK'] === 'on' ? soak : suite
