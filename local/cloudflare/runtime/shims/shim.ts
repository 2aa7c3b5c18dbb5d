/** The worker that holds the classes below, one per group that needs any. */
export const SHIMS_WORKER = '_shims'

/** A class that stands in for a product's binding. */
export interface Shim {
  /** The name it is exported under. */
  className: string
  /** Source of its module; it may import `ask` from './ask.js'. */
  source: string
}
