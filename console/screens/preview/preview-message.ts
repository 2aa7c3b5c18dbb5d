import { truncateText } from '../../lib/truncate-text.ts'
import { isObjectOrList } from '../../lib/fields.ts'

/** A message from the app in the preview frame to the console. */
export type PreviewMessage =
  | { kind: 'ready'; path: string }
  | { kind: 'navigate'; path: string }
  | { kind: 'error'; message: string; stack: string | null; path: string }
  | { kind: 'storage' }

/** The most characters that are kept of a text, because the app may send any amount. */
const PATH_CHARACTERS_MAX = 300
const MESSAGE_CHARACTERS_MAX = 500
const STACK_CHARACTERS_MAX = 4000

/** Validates a message field by field, because generated code sent it. Returns null for anything else. */
export function readPreviewMessage(message: unknown): PreviewMessage | null {
  if (!isObjectOrList(message) || message.source !== 'slipway-preview') return null
  const path = shortText(message.path, PATH_CHARACTERS_MAX)
  if (message.kind === 'storage') return { kind: 'storage' }
  if (message.kind === 'ready') return { kind: 'ready', path: path ?? '' }
  if (message.kind === 'navigate' && path !== null) return { kind: 'navigate', path }
  const words = shortText(message.message, MESSAGE_CHARACTERS_MAX)
  if (message.kind !== 'error' || words === null) return null
  return {
    kind: 'error',
    message: words,
    stack: shortText(message.stack, STACK_CHARACTERS_MAX),
    path: path ?? '',
  }
}

const shortText = (value: unknown, charactersMax: number): string | null =>
  typeof value === 'string' ? truncateText(value, charactersMax) : null
