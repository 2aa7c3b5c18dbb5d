import { fileIssues, type ManifestResult, readManifest } from '../../source/manifest.ts'
import { defaultIssues } from '../../source/manifest-values.ts'
import { migrationIssues } from '../../source/manifest-migrations.ts'
import { type CheckError, errorAt } from '../../check-report.ts'
import { positionInJson, syntaxErrorInJson } from './json-position.ts'

/**
 * Returns the problems of app.json, each at its own line. Named files must exist, and a change since `before` (the app.json on main)
 * that needs a migration must have a migration.
 */
export function checkManifest(
  tree: ReadonlyMap<string, string>,
  result: ManifestResult,
  before: string | null,
): CheckError[] {
  const text = tree.get('app.json')
  const report = (
    code: string,
    path: readonly string[],
    message: string,
    at = positionInJson(text ?? '', path),
  ) => errorAt(tree, { phase: 'manifest', file: 'app.json', ...at, code, message })

  if (text === undefined) return [report('missing', [], 'app.json is missing.')]
  const old = before === null ? null : readManifest(before)
  const issues = result.ok
    ? [...fileIssues(result.manifest, tree), ...defaultIssues(result.manifest)]
    : [...result.issues]
  if (result.ok && old?.ok) issues.push(...migrationIssues(old.manifest, result.manifest))
  return issues.map(({ path, message, isSyntax }) =>
    report(
      'invalid',
      path.split('.').filter(Boolean),
      `${path || 'app.json'}: ${message}`,
      isSyntax === true ? syntaxErrorInJson(text) : undefined,
    ),
  )
}
