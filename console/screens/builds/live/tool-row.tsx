import { workText } from '../../../text/workspace.en.ts'
import { CallRow } from '../../../ui/markdown/call-row.tsx'
import type { ToolCall } from '../follow/build-state.ts'

export function ToolRow({ tool }: { tool: ToolCall }) {
  return (
    <CallRow
      label={workText.build.tools[tool.name] ?? tool.name}
      about={tool.path}
      isCode
      ok={tool.ok}
      failedWord={workText.build.phases.failed}
      answer={tool.error ?? tool.result}
      ms={tool.ms}
    />
  )
}
