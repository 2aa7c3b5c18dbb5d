import { type CheckError, type CheckReport, errorAt } from '../../agent/check-report.ts'
import { PACKAGES_FILE } from '../../agent/source/packages-file.ts'
import { PackageRefusal } from '../../agent/packages/resolve.ts'
import { removedStepIssues } from '../../agent/source/flow-steps.ts'
import { readManifest } from '../../agent/source/manifest.ts'
import type { RunCheck } from '../../agent/tools/finish.ts'
import { completeTree } from '../../agent/source/tree.ts'
import type { Workspace } from '../../agent/tools/workspace.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import type { Ports } from '../../platform.ts'
import { documentedCapabilities } from '../../agent/prompts/guides.ts'

/**
 * Checks an app as if every capability that it uses were enabled, because the caller may not be allowed to enable one.
 * Adds a warning for each of these capabilities that is off, as the readiness report before a deployment does. Adds
 * another warning for each removed flow or flow step of main, because the removal breaks waiting runs of the flow.
 */
export function createRunCheck(platform: Pick<Ports, 'checkers' | 'packages'>, run: RunRow): RunCheck {
  return async (workspace, signal) => {
    const warn = (file: string, code: string, message: string) =>
      errorAt(workspace.tree, { phase: 'manifest', file, code, message })
    const off = capabilitiesUsedButOff(workspace)
    const enabled = new Set([...workspace.enabled, ...off])
    const packages = await platform.packages
      .folderFor(workspace.tree, { owner: run.org_id, signal })
      .catch((error: unknown) => refusedReport(workspace, error))
    if (packages !== null && typeof packages === 'object') return packages
    const report = await platform.checkers.check(completeTree(workspace.tree, enabled), {
      packages,
      enabled: [...enabled].sort(),
      // The collections on main may contain records, so a changed collection needs a migration.
      before: run.base_sha === null ? null : (workspace.base.get('app.json') ?? null),
      changed: workspace.changed,
      owner: run.org_id,
      signal,
    })
    // Without a commit on main no app exists yet, so no flow can have waiting runs.
    const lost = run.base_sha === null ? [] : removedStepIssues(workspace.base, workspace.tree)
    return withWarnings(report, [
      ...off.map((key) =>
        warn(
          'app.json',
          'capability_off',
          `${key} is used but off in this project. Switch it on, or tell the user to.`,
        ),
      ),
      ...lost.map(({ path, message }) => warn(path, 'flow_step', message)),
    ])
  }
}

/** Returns locked packages that cannot be fetched as an error of the check, because the model can act on such an error. */
function refusedReport(workspace: Workspace, error: unknown): CheckReport {
  if (!(error instanceof PackageRefusal)) throw error
  const place = { phase: 'bundle', file: PACKAGES_FILE, code: 'package', message: error.message } as const
  const errors = [errorAt(workspace.tree, place)]
  return { ok: false, checks: [{ name: 'bundle', ok: false, ms: 0, errors }] }
}

function capabilitiesUsedButOff(workspace: Workspace): string[] {
  const read = readManifest(workspace.tree.get('app.json') ?? '')
  if (!read.ok) return []
  const available = documentedCapabilities()
  return read.manifest.uses.filter((key) => available.includes(key) && !workspace.enabled.has(key))
}

function withWarnings(report: CheckReport, warnings: CheckError[]): CheckReport {
  if (warnings.length === 0) return report
  const checks = report.checks.map((check) =>
    check.name === 'manifest' ? { ...check, warnings: [...(check.warnings ?? []), ...warnings] } : check,
  )
  return { ...report, checks }
}
