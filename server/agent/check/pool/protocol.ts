import type { AppBundle } from '../../bundle/bundle.ts'
import type { CheckReport } from '../report.ts'

/**
 * What a checker does: all phases over a complete tree, or the bundle of one that was checked
 * before. `packages` is the folder with those that the app added.
 */
export type CheckJobs = {
  check: {
    given: {
      tree: ReadonlyMap<string, string>
      enabled: readonly string[]
      before: string | null
      /** The path of the browser in which the pages are seen; null: none. */
      browser: string | null
      /** Paths that differ from what the build started from. */
      changed: readonly string[]
      packages: string | null
    }
    returns: CheckReport
  }
  bundle: { given: { tree: ReadonlyMap<string, string>; packages: string | null }; returns: AppBundle }
}
