/** True in the long run: `npm test -- --soak`. */
export const isSoak = process.env['SLIPWAY_SOAK'] === 'on'

/** Returns the number of repetitions: few in a normal run, many with `npm test -- --soak`. */
export const times = (suite: number, soak: number): number => (isSoak ? soak : suite)
