const { promise, resolve } = Promise.withResolvers<void>()

/** Settles when the keys of the frame are bound: what tells of them on screen comes no sooner. */
export const keysAct: Promise<void> = promise

/** Tells that they are. */
export const tellKeysAct = (): void => resolve()
