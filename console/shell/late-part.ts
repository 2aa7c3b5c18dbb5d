import { type FunctionComponent, lazy } from 'react'
import { afterFirstView } from '../first-view.ts'
import { connection } from './bars/browser-connection.ts'

/** A service that has just stopped may still have said that it is there. */
const TRIES_MAX = 3

/** A part that follows the first view. While the service cannot be reached it waits and is fetched again. */
export const latePart = <Props>(load: () => Promise<FunctionComponent<Props>>) =>
  lazy(async () => {
    await afterFirstView()
    return { default: await loadWhenServed(load) }
  })

async function loadWhenServed<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let failed = 1; ; failed++) {
    try {
      return await load()
    } catch (error) {
      // The service is there, and the part is not: this console is no longer served.
      if (failed === TRIES_MAX) throw error
      await connection.whenBack()
    }
  }
}
