import type { PackageFile } from './tarball.ts'
import type { PickedPackage } from './registry.ts'

export interface RegistryAccess {
  registry: string
  /** Hosts that outbound requests may reach in addition to public hosts. */
  allow: readonly string[]
}

/** A refusal is returned and not thrown, because the model reads it and the process stays usable. */
export type RefusableResult<T> = T | { refused: string }

/** Jobs of the child process that reads from a registry: choose a version, or fetch a version and read its archive. */
export type PackageJobs = {
  pick: {
    given: RegistryAccess & { name: string; range: string; now: number }
    returns: RefusableResult<PickedPackage>
  }
  fetch: {
    given: RegistryAccess & { name: string; version: string; integrity: string }
    returns: RefusableResult<{ files: PackageFile[] }>
  }
}
