import checkout from '../package.json' with { type: 'json' }

/** The version in package.json of this checkout. */
export const VERSION: string = checkout.version
