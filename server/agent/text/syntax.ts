import { type Message, stop, transform } from 'esbuild'
import { withNewProcessOnDeath } from '../esbuild.ts'
import { readManifest } from '../source/manifest.ts'

const LOADER_OF_TYPE: Record<string, 'ts' | 'tsx' | 'css'> = { ts: 'ts', tsx: 'tsx', css: 'css' }

const ISSUES_SHOWN = 20

/**
 * Returns the first syntax errors of a file as text for the model, or a sentence that says that there are no errors.
 * Throws when esbuild dies.
 */
export async function describeSyntax(path: string, text: string): Promise<string> {
  if (path === 'app.json') return describeManifest(text)
  if (path.endsWith('.json') || path.endsWith('.webmanifest')) return describeJson(text)
  const loader = LOADER_OF_TYPE[path.slice(path.lastIndexOf('.') + 1)]
  if (loader === undefined) return 'Stored.'
  try {
    // The output is not used. Without `minifyWhitespace`, its indentation would make the size quadratic in the nesting of rules.
    const parse = () => transform(text, { loader, logLevel: 'silent', minifyWhitespace: true })
    await withNewProcessOnDeath(parse, stop)
    return 'The syntax is fine.'
  } catch (error) {
    const { errors } = error as { errors?: Message[] }
    if (errors === undefined) throw error
    return `Syntax errors:\n${describeErrors(errors, path)}`
  }
}

function describeManifest(text: string): string {
  const read = readManifest(text)
  if (read.ok) return 'The manifest is fine; the generated types are up to date.'
  const lines = read.issues
    .slice(0, ISSUES_SHOWN)
    .map((issue) => `${issue.path || 'app.json'}: ${issue.message}`)
  const rest = read.issues.length - lines.length
  return ['Manifest errors:', ...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n')
}

function describeJson(text: string): string {
  try {
    JSON.parse(text)
    return 'The syntax is fine.'
  } catch (error) {
    return `Syntax error: ${error instanceof Error ? error.message : String(error)}`
  }
}

function describeErrors(errors: Message[], path: string): string {
  return errors
    .slice(0, 5)
    .map(({ text, location }) => `${path}:${location?.line ?? 0}:${(location?.column ?? 0) + 1}: ${text}`)
    .join('\n')
}
