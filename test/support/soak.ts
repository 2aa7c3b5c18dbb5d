/** Whether this is the long run: `npm test -- --soak`. */
export const isSoak = process.env['SLIPWAY_SOAK'] === 'on'

/** The number of repetitions: a few in a normal run, many with `npm test -- --soak`. */
export const times = (suite: number, soak: number): number => (isSoak ? soak : suite)
