import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { buildConsole } from '../../scripts/console-build.ts'
import { Person } from '../support/client.ts'
import type { NetworkLine } from '../support/network-line.ts'
import { type ScriptedModel, serveScriptedModel } from '../support/scripted-model.ts'
import { ServiceProcess } from '../support/service.ts'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'

/** Somebody with an account, signed in on a page of their own. */
export interface Resident extends WatchedPage {
  email: string
  /** The same session without a page. */
  person: Person
}

/** What a file of browser tests stands on: the service, a browser, and Ada, who is signed in. */
export interface BrowserWorld extends Resident {
  service: ServiceProcess
  browser: Browser
  model: ScriptedModel
  /** Where pages find the service. */
  url: string
  /** One more person, in a browser window of their own. */
  enter(name: string, options?: BrowserContextOptions): Promise<Resident>
  /** One more window: Ada's, or somebody's who is not signed in. */
  open(who: 'Ada' | 'nobody', options?: BrowserContextOptions): Promise<WatchedPage>
  /** Builds what a sentence describes, as a project of Ada's or as one more ticket of it, until it stands. */
  build(sentence: string, projectId?: string): Promise<{ projectId: string; ticketId: string }>
  /** Closes everything, in the order in which one thing needs the other. */
  close(): Promise<void>
}

interface WorldOptions {
  /** What the pages are like, where nothing else is said. */
  page?: BrowserContextOptions
  /** Lies between the pages and the service, and goes with them. */
  line?: NetworkLine
  /** Settings of the service. */
  env?: Record<string, string>
}

/** Opens a world; when anything of it cannot be had, nothing of it stays behind. */
export async function openBrowserWorld({
  page = {},
  line,
  env = {},
}: WorldOptions = {}): Promise<BrowserWorld> {
  await using opened = new AsyncDisposableStack()
  if (line) opened.defer(() => line.close())
  await buildConsole()
  const starting = [
    own(opened, serveScriptedModel(), (model) => model.close()),
    own(opened, ServiceProcess.start({ ...env, ...(line && { SLIPWAY_BASE_URL: line.url }) }), (service) =>
      service.dispose(),
    ),
    own(opened, launchBrowser(), (browser) => browser.close()),
  ] as const
  // What is still starting when something else fails has to be closed, too.
  await Promise.allSettled(starting)
  const [model, service, browser] = await Promise.all(starting)
  line?.leadTo(service.url)
  const url = line?.url ?? service.url

  const emails = new Set<string>()
  const enter = async (name: string, options: BrowserContextOptions = {}): Promise<Resident> => {
    const email = `${name.split(' ')[0]?.toLowerCase()}${emails.size || ''}@example.test`
    emails.add(email)
    const person = await Person.signUp(url, email, name)
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

async function own<T>(
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
  // The answer is the stream of the build; it ends with it.
  const stream = await person.request(`POST ${path}/${ticketId}/build/stream`, {})
  const told = await stream.text()
  assert.ok(told.includes('"status":"built"'), told.slice(-500))
  return { projectId, ticketId }
}
