import { type FunctionComponent, lazy } from 'react'
import { afterFirstView } from '../first-view.ts'
import { connection } from './bars/browser-connection.ts'

/** A part that follows the first view. While the service cannot be reached it waits and is fetched again. */
export const latePart = <Props>(load: () => Promise<FunctionComponent<Props>>) =>
  lazy(async () => {
    await afterFirstView()
    const part = load().catch(async () => {
      await connection.whenBack()
      return load()
    })
    return { default: await part }
  })
