import { type FunctionComponent, lazy } from 'react'
import { afterFirstView } from '../first-view.ts'
import { connection } from './bars/browser-connection.ts'
import { loadWithRetry } from './load-with-retry.ts'

const browserWaits = {
  whenBack: () => connection.whenBack(),
  wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
}

/**
 * A component that is loaded only after the first page is complete, so that it does not delay the page. While the component cannot be
 * loaded, the page is shown without it.
 */
export const deferredComponent = <Props>(load: () => Promise<FunctionComponent<Props>>) =>
  lazy(async () => {
    await afterFirstView()
    return { default: await loadWithRetry(load, browserWaits) }
  })
