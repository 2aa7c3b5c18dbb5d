import { isSignedOut, isSomebodyHere } from './query-client.ts'

let ask = () => Promise.resolve(false)
let asked: Promise<boolean> | null = null
let isPutOff = false

/** How a person is asked to sign in again when the session ends under an open page; answers whether they did. */
export function onSessionEnd(asking: () => Promise<boolean>): void {
  ask = asking
}

/**
 * Sends, and when the session has ended meanwhile asks for a new one and sends again: what was being done is not
 * lost. All requests wait for one answer. After "not now" only what a person does asks again, reading does not.
 */
export async function whileSignedIn<T>(isRead: boolean, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!isSignedOut(error) || !isSomebodyHere() || (isRead && isPutOff)) throw error
    asked ??= ask().finally(() => (asked = null))
    isPutOff = !(await asked)
    if (isPutOff) throw error
    return send()
  }
}
