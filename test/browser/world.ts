import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { buildConsole } from '../../scripts/console-build.ts'
import { Person } from '../support/client.ts'
import type { TcpProxy } from '../support/tcp-proxy.ts'
import { type ScriptedModel, serveScriptedModel } from '../support/scripted-model.ts'
import { ServiceProcess } from '../support/service.ts'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'

/** A user with an account who is signed in on a separate page. */
export interface Resident extends WatchedPage {
  email: string
  /** The same session, for API calls without a page. */
  person: Person
}

/** What the browser tests of a file use: the service, a browser, and the signed-in user Ada. */
export interface BrowserWorld extends Resident {
  service: ServiceProcess
  browser: Browser
  model: ScriptedModel
  /** The address at which pages reach the service. */
  url: string
  /** Signs up another user in a separate browser context. */
  enter(name: string, options?: BrowserContextOptions): Promise<Resident>
  /** Opens another page, of Ada or of a visitor who is signed out. */
  open(who: 'Ada' | 'nobody', options?: BrowserContextOptions): Promise<WatchedPage>
  /** Builds an app from a sentence, in a new project of Ada or as another ticket of `projectId`, and waits for the build. */
  build(sentence: string, projectId?: string): Promise<{ projectId: string; ticketId: string }>
  close(): Promise<void>
}

interface WorldOptions {
  page?: BrowserContextOptions
  /** A TCP proxy between the pages and the service. `close` closes the proxy too. */
  line?: TcpProxy
  env?: Record<string, string>
  /** The browser to start instead of `testBrowserPath()`. */
  browserPath?: string
}

/** Starts the service, a scripted model and a browser. If one of the three fails to start, closes the other two and throws. */
export async function openBrowserWorld({
  page = {},
  line,
  env = {},
  browserPath,
}: WorldOptions = {}): Promise<BrowserWorld> {
  await using opened = new AsyncDisposableStack()
  if (line) opened.defer(() => line.close())
  await buildConsole()
  const starting = [
    openOwned(opened, serveScriptedModel(), (model) => model.close()),
    openOwned(
      opened,
      ServiceProcess.start({ ...env, ...(line && { SLIPWAY_BASE_URL: line.url }) }),
      (service) => service.dispose(),
    ),
    openOwned(opened, launchBrowser([], browserPath), (browser) => browser.close()),
  ] as const
  // Also wait for the parts that are still starting, so that they can be closed.
  await Promise.allSettled(starting)
  const [model, service, browser] = await Promise.all(starting)
  line?.leadTo(service.url)
  const url = line?.url ?? service.url

  const emails = new Set<string>()
  const enter = async (name: string, options: BrowserContextOptions = {}): Promise<Resident> => {
    const email = `${name.split(' ')[0]?.toLowerCase()}${emails.size || ''}@example.test`
    emails.add(email)
    const person = await Person.signUp(url, email, name)
    if (await service.hasWorld()) await waitForCloud(person)
    const storageState = { cookies: person.cookies, origins: [] }
    return { ...(await openPage(browser, { ...page, ...options, storageState })), email, person }
  }
  const ada = await enter('Ada Lovelace')
  const closing = opened.move()
  return {
    ...ada,
    service,
    browser,
    model,
    url,
    enter,
    open: (who, options) =>
      openPage(browser, {
        ...page,
        ...options,
        ...(who === 'Ada' && { storageState: { cookies: ada.person.cookies, origins: [] } }),
      }),
    build: (sentence, projectId) => buildProject(ada.person, sentence, projectId),
    close: () => closing.disposeAsync(),
  }
}

/**
 * Waits for the cloud account of a new user, which is connected shortly after the sign-up. Before that,
 * enabling capabilities and shipping are refused.
 */
async function waitForCloud(person: Person): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await person.request('GET /connections')
    // Without a session there is nothing to wait for: the user must verify the address first.
    if (answer.status === 401) return
    const { data } = (await answer.json()) as { data?: { cloudflare: { connected: boolean } } }
    if (data?.cloudflare.connected === true) return
    await sleep(50)
  }
}

async function openOwned<T>(
  stack: AsyncDisposableStack,
  opening: Promise<T>,
  close: (opened: T) => Promise<unknown>,
): Promise<T> {
  return stack.adopt(await opening, async (opened) => void (await close(opened)))
}

async function buildProject(person: Person, text: string, into?: string) {
  const projectId = into ?? (await person.call<{ id: string }>('POST /projects', {})).id
  const path = `/projects/${projectId}/tickets`
  const { id: ticketId } = await person.call<{ id: string }>(`POST ${path}/capture`, { text })
  // The response is the event stream of the build, and ends with the build.
  const stream = await person.request(`POST ${path}/${ticketId}/build/stream`, {})
  const told = await stream.text()
  assert.ok(told.includes('"status":"built"'), told.slice(-500))
  return { projectId, ticketId }
}
