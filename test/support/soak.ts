/** Whether this is the far longer run of `npm test -- --soak`. */
export const isSoak = process.env['SLIPWAY_SOAK'] === 'on'

/** How often something is done: a few times in every run of the suite, often with `npm test -- --soak`. */
export const times = (suite: number, soak: number): number => (isSoak ? soak : suite)
