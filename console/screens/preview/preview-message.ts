/** What an app in the preview frame may tell the console. */
export type PreviewMessage =
  | { kind: 'ready' }
  | { kind: 'navigate'; path: string }
  | { kind: 'error'; message: string }
  | { kind: 'storage' }

const PATH_CHARACTERS_MAX = 300
const MESSAGE_CHARACTERS_MAX = 500

/** Reads a message field by field: it was written by generated code. Anything unknown is null. */
export function readPreviewMessage(data: unknown): PreviewMessage | null {
  if (typeof data !== 'object' || data === null) return null
  const message = data as Record<string, unknown>
  if (message.source !== 'slipway-preview') return null
  if (message.kind === 'ready' || message.kind === 'storage') return { kind: message.kind }
  if (message.kind === 'navigate' && typeof message.path === 'string')
    return { kind: 'navigate', path: message.path.slice(0, PATH_CHARACTERS_MAX) }
  if (message.kind === 'error' && typeof message.message === 'string')
    return { kind: 'error', message: message.message.slice(0, MESSAGE_CHARACTERS_MAX) }
  return null
}
