export interface ToolCall {
  name: string
  args: Record<string, unknown>
}

export const writeFileCall = (path: string, content: string): ToolCall => ({
  name: 'write_file',
  args: { path, content },
})
