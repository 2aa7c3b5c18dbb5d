import type { AppBundle } from '../bundle/bundle.ts'
import type { CheckReport } from '../check-report.ts'

/**
 * The jobs of a check process: `check` runs all phases over a complete tree, `bundle` bundles a checked tree. `packages` is the
 * folder with the packages that the app added; null without added packages. `locateStacks` replaces positions in the bundle with
 * positions in the sources, in error stacks of a deployed app.
 */
export type CheckJobs = {
  check: {
    given: {
      tree: ReadonlyMap<string, string>
      enabled: readonly string[]
      before: string | null
      /** The path of the browser in which the pages are opened; null without a browser. */
      browser: string | null
      changed: readonly string[]
      packages: string | null
    }
    returns: CheckReport
  }
  locateStacks: {
    given: { tree: ReadonlyMap<string, string>; packages: string | null; stacks: readonly string[] }
    returns: string[]
  }
  bundle: { given: { tree: ReadonlyMap<string, string>; packages: string | null }; returns: AppBundle }
}
