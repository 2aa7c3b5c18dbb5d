import type { PackageFile } from './tarball.ts'
import type { PickedPackage } from './registry.ts'

export interface RegistryPlace {
  registry: string
  /** Hosts that outbound requests may reach in addition to public ones. */
  allow: readonly string[]
}

/** A refusal is returned and not thrown, because the model reads it and the process stays usable. */
export type OrRefused<T> = T | { refused: string }

/** Jobs of the child process that reads from a registry: choose a version, or fetch one and read its archive. */
export type PackageJobs = {
  pick: {
    given: RegistryPlace & { name: string; range: string; now: number }
    returns: OrRefused<PickedPackage>
  }
  fetch: {
    given: RegistryPlace & { name: string; version: string; integrity: string }
    returns: OrRefused<{ files: PackageFile[] }>
  }
}
