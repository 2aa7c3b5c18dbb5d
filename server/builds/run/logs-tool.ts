import * as z from 'zod'
import { agentTool, done } from '../../agent/tools/tool.ts'
import type { Workspace } from '../../agent/loop/workspace.ts'
import { type PreviewError, describePreviewErrors } from '../preview-errors.ts'

const LOG_CHARS_MAX = 8_000

/** What the running app says: errors the preview reported since the build began, and the output of the last check. */
export function logsTool(workspace: Workspace, readErrors: () => Promise<PreviewError[]>) {
  let shown = 0
  return agentTool({
    name: 'logs',
    description:
      'Shows errors that the preview reported since this build began, and what the app printed in the last check.',
    input: z.object({}),
    isRepeatable: true,
    run: async () => {
      const errors = await readErrors()
      // They stay for the ticket's next build, which is told of them in any case.
      const fresh = errors.slice(Math.min(shown, errors.length))
      shown = errors.length
      const printed = workspace.lastReport?.logs ?? []
      return done(
        [
          fresh.length === 0 ? 'The preview reported nothing new.' : describePreviewErrors(fresh),
          printed.length === 0
            ? 'The app printed nothing in the last check.'
            : `The app printed in the last check:\n${printed.join('\n').slice(-LOG_CHARS_MAX)}`,
        ].join('\n\n'),
      )
    },
  })
}
