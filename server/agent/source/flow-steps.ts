import { type ManifestIssue, readManifest } from './manifest.ts'
import type { AppTree } from './tree.ts'

/** Matches the calls of steps whose name is a literal, because the source does not show the value of a computed name. */
const STEP_CALL = /\.(?:do|sleep|waitFor)\s*(?:<[^()]{0,200}>)?\(\s*(['"`])([^'"`$\n]+)\1/g

const stepsIn = (text: string): string[] => [...text.matchAll(STEP_CALL)].map(([, , name = '']) => name)

/**
 * Returns an issue for each flow and each step of `before` that is missing in `after`. A run that waits during a release finds its
 * finished steps by name. So the run repeats a renamed step, and fails when its flow was removed.
 */
export function removedStepIssues(before: AppTree, after: AppTree): ManifestIssue[] {
  const [old, now] = [before, after].map((tree) => readManifest(tree.get('app.json') ?? ''))
  if (!old?.ok || !now?.ok) return []
  // Search all files, because a step may have moved to a file that the handler imports.
  const kept = new Set(
    [...after].flatMap(([path, text]) => (/^(?:server|shared)\//.test(path) ? stepsIn(text) : [])),
  )
  return (old.manifest.flows ?? []).flatMap(({ name, handler }) => {
    const flow = now.manifest.flows?.find((one) => one.name === name)
    if (flow === undefined)
      return [
        {
          path: 'app.json',
          message: `The flow ${name} is gone: a run that waits fails when it continues. Keep it while runs may wait.`,
        },
      ]
    const steps = new Set(stepsIn(before.get(`server/jobs/${handler}.ts`) ?? ''))
    return [...steps.difference(kept)].map((step) => ({
      path: `server/jobs/${flow.handler}.ts`,
      message: `The flow ${name} had a step ${JSON.stringify(step)}. Under another name, a run that waits does it again: keep the name while runs may wait.`,
    }))
  })
}
