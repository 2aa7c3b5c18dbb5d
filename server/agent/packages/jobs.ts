import type { PackageFile } from './tarball.ts'
import type { Picked } from './registry.ts'

interface Place {
  registry: string
  /** Destinations that the guard of outbound requests lets through besides public ones. */
  allow: readonly string[]
}

/** A refusal is a value: it is for the model, and the process stays sound. */
export type OrRefused<T> = T | { refused: string }

/** What the child does that reads from a registry: choose a version, or fetch one and read its archive. */
export type PackageJobs = {
  pick: { given: Place & { name: string; range: string; now: number }; returns: OrRefused<Picked> }
  fetch: {
    given: Place & { name: string; version: string; integrity: string }
    returns: OrRefused<{ files: PackageFile[] }>
  }
}
