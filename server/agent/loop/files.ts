import type { ModelMessage, UserModelMessage } from 'ai'
import type { Picture } from '../check-report.ts'

/** A file that is attached to a message. A transcript contains only the file's key; the bytes are loaded for each model call. */
export interface FileRef {
  key: string
  mediaType: string
}

export type LoadFile = (key: string) => Promise<Uint8Array>

const ATTACHMENT_SCHEME = 'attachment:'

/** Returns a user message as it is stored, with references to its files by key. */
export function userMessage(text: string, files: readonly FileRef[]): UserModelMessage {
  if (files.length === 0) return { role: 'user', content: text }
  return addFiles({ role: 'user', content: [{ type: 'text', text }] }, files)
}

/** Returns a list with one message that contains the screenshots of the last check; an empty list without screenshots. */
export function pictureMessages(pictures: readonly Picture[]): UserModelMessage[] {
  const [first] = pictures
  if (first === undefined) return []
  const widths = pictures.map(({ width }) => `${width} px`).join(' and ')
  const text = `${first.page} in a browser, with sample records, ${widths} wide. Look for what is crowded, cut off, out of line or hard to understand.`
  const parts = pictures.map(({ mediaType, bytes }) => ({ type: 'file' as const, mediaType, data: bytes }))
  return [{ role: 'user', content: [{ type: 'text', text }, ...parts] }]
}

export function addFiles<M extends ModelMessage>(message: M, files: readonly FileRef[]): M {
  if (message.role !== 'user' || files.length === 0) return message
  const { content } = message
  const before = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const parts = files.map(({ key, mediaType }) => ({
    type: 'file' as const,
    mediaType,
    data: `${ATTACHMENT_SCHEME}${key}`,
  }))
  return { ...message, content: [...before, ...parts] }
}

/** Returns the messages for one model call: the key of each attached file is replaced by the bytes of the file. */
export async function loadFiles(
  messages: ModelMessage[],
  load: LoadFile | undefined,
): Promise<ModelMessage[]> {
  return Promise.all(
    messages.map(async (message) => {
      if (message.role !== 'user' || typeof message.content === 'string') return message
      return {
        ...message,
        content: await Promise.all(message.content.map((part) => loadFilePart(part, load))),
      }
    }),
  )
}

type MessagePart = Exclude<UserModelMessage['content'], string>[number]

async function loadFilePart(part: MessagePart, load: LoadFile | undefined): Promise<MessagePart> {
  if (part.type !== 'file' || typeof part.data !== 'string' || !part.data.startsWith(ATTACHMENT_SCHEME))
    return part
  if (load === undefined) throw new Error('this conversation has files, but no function that loads them')
  return { ...part, data: await load(part.data.slice(ATTACHMENT_SCHEME.length)) }
}
