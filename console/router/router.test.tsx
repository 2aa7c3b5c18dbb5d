import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { isRedirect } from '@tanstack/react-router'
import { act, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { rememberSignedIn, wasSignedIn } from '../api/account/signed-in-before.ts'
import { meQuery } from '../api/account/session.ts'
import { queryClient } from '../api/request/query-client.ts'
import { router } from '../router.ts'
import { href } from '../routes.ts'
import { Refusal, serve, show } from '../testing/console.tsx'
import { PaneBoundary } from '../ui/page/pane-boundary.tsx'
import { requireSession } from './root.ts'
import { firstScreen, lazyScreen } from './screen.ts'

const ME = 'GET /me'
const SESSION = 'GET /api/auth/get-session'
const SIGNED_OUT = new Refusal(401, 'unauthorized', 'Sign in.')
const lost = () => {
  throw new TypeError('fetch failed')
}

/** Opens a page that needs a session. Returns the URL to which it redirects, or null when the page opens. */
async function openPage(path: string): Promise<string | null> {
  try {
    await requireSession({ location: { href: path } })
    return null
  } catch (error) {
    if (isRedirect(error)) return error.options.href ?? ''
    throw error
  }
}

describe('a page that needs a session', () => {
  beforeEach(() => {
    queryClient.clear()
    rememberSignedIn(false)
  })

  test('a page opens without a request when the user is already in the cache', async () => {
    queryClient.setQueryData(meQuery().queryKey, { user: null } as never)
    const calls = serve({ [ME]: () => SIGNED_OUT, [SESSION]: () => null })
    assert.equal(await openPage('/projects'), null)
    assert.deepEqual([calls[ME], calls[SESSION]], [[], []])
  })

  test('a first visit without a session requests only the session and opens the sign-in, without a failed request for user data', async () => {
    const calls = serve({ [ME]: () => SIGNED_OUT, [SESSION]: () => null })
    assert.equal(
      await openPage('/projects/prj_1?tab=plan#L1'),
      `/sign-in?next=${encodeURIComponent('/projects/prj_1?tab=plan#L1')}`,
    )
    assert.equal(calls[SESSION]?.length, 1)
    assert.deepEqual(calls[ME], [])
  })

  test('a page opens for an existing session, and the next visit requests the user without requesting the session first', async () => {
    const calls = serve({ [ME]: () => ({ user: { id: 'usr_1' } }), [SESSION]: () => ({ user: {} }) })
    assert.equal(await openPage('/projects'), null)
    assert.equal(wasSignedIn(), true)
    queryClient.clear()
    assert.equal(await openPage('/projects'), null)
    assert.deepEqual([calls[SESSION]?.length, calls[ME]?.length], [1, 2])
  })

  test('when the session has expired since the last visit, the sign-in opens, and the next visit expects no session', async () => {
    rememberSignedIn(true)
    serve({ [ME]: () => SIGNED_OUT, [SESSION]: () => null })
    assert.equal(await openPage('/activity'), '/sign-in?next=%2Factivity')
    assert.equal(wasSignedIn(), false)
  })

  test('an outage is not treated as a missing session: the page fails instead of opening the sign-in', async () => {
    for (const answers of [
      { [SESSION]: lost, [ME]: lost },
      { [SESSION]: () => new Refusal(503, 'unavailable', 'Later.'), [ME]: lost },
      { [SESSION]: () => new Response('<html>Log in to the Wi-Fi</html>'), [ME]: lost },
    ]) {
      serve(answers)
      await assert.rejects(openPage('/projects'))
    }
  })

  test('this browser still counts as signed in after a failed request for the user', async () => {
    rememberSignedIn(true)
    serve({ [ME]: () => new Refusal(400, 'invalid_request', 'No.') })
    await assert.rejects(openPage('/projects'))
    assert.equal(wasSignedIn(), true)
  })

  test("when an organization's policy refuses the user, the console does not open the sign-in, which would change nothing", async () => {
    rememberSignedIn(true)
    serve({ [ME]: () => new Refusal(403, 'two_factor_required', 'Set it up.') })
    await assert.rejects(openPage('/projects'), /Set it up/)
  })
})

describe('the addresses of the console', () => {
  const depthOf = (path: string) => path.split('/').filter((part) => part !== '').length
  /**
   * The pattern of the page at this path; null when there is no page. For a path without a page the router returns the page above the path.
   */
  const routeOf = (path: string) => {
    const [pathname = ''] = path.split(/[?#]/)
    const [, , route] = router.getMatchedRoutes(pathname)
    return route !== undefined && depthOf(route.fullPath) === depthOf(pathname) ? route.fullPath : null
  }
  const pages = {
    home: href.home(),
    signIn: href.signIn('/projects'),
    signUp: href.signUp(),
    twoFactor: href.twoFactor(),
    reset: href.reset('tok'),
    verifyEmail: href.verifyEmail({ email: 'a@b.test' }),
    invitation: href.invitation('inv/1'),
    welcome: href.welcome(),
    device: href.device('ABCD'),
    projects: href.projects('q'),
    newProject: href.newProject(),
    project: href.project('prj_1', { tab: 'plan' }),
    activity: href.activity(),
    code: href.code('prj_1', { path: 'a.ts' }, 'L1'),
    versions: href.versions('prj_1'),
    runs: href.runs('prj_1', 'tokens'),
    run: href.run('prj_1', 'run_1'),
    projectSettings: href.projectSettings('prj_1'),
    ship: href.ship('prj_1'),
    insights: href.insights('prj_1'),
    domain: href.domain('prj_1'),
    assets: href.assets('prj_1'),
    capabilities: href.capabilities('prj_1'),
    capability: href.capability('prj_1', 'files'),
    collection: href.collection('prj_1', 'plants'),
    account: href.account(),
    help: href.help(),
    helpThread: href.helpThread('hlp_1'),
    desk: href.desk('open'),
    deskThread: href.deskThread('hlp_1'),
    deletion: href.deletion(),
    settings: href.settings(),
    organization: href.organization(),
    members: href.members(),
    models: href.models(),
    connections: href.connections(),
    keys: href.keys(),
    webhooks: href.webhooks(),
    ingest: href.ingest(),
    security: href.security(),
    billing: href.billing(),
  } satisfies Record<keyof typeof href, string>

  test('every page that the console links to exists', () => {
    assert.deepEqual(
      Object.entries(pages).filter(([, path]) => routeOf(path) === null),
      [],
    )
  })

  test('an unknown path matches no page, even under the path of an existing page', () => {
    for (const path of [
      '/nothing',
      '/projects/prj_1/nothing',
      '/settings/nothing',
      '/sign-in/x',
      '/account/x/y',
    ])
      assert.equal(routeOf(path), null, path)
  })

  test('a path with a slash at its end opens the same page as without the slash', () => {
    const paths = Object.values(pages).map((path) => path.split(/[?#]/)[0] ?? '')
    assert.deepEqual(
      paths.filter((path) => path !== '/' && routeOf(`${path}/`) !== routeOf(path)),
      [],
    )
  })

  test('the page of a collection and the page of its capability have different routes', () => {
    assert.notEqual(routeOf(href.collection('prj_1', 'plants')), routeOf(href.capability('prj_1', 'data')))
  })
})

describe('a page whose code is loaded on its first visit', () => {
  const broken = async (): Promise<{ Page: () => null }> => {
    throw new TypeError('Failed to fetch dynamically imported module: /assets/page.js')
  }
  const page = async () => ({ Page: () => <p>The page</p> })
  const open = async (Screen: ReturnType<typeof firstScreen>) =>
    act(async () =>
      show(
        <PaneBoundary>
          <Suspense fallback="Loading">
            <Screen />
          </Suspense>
        </PaneBoundary>,
      ),
    )

  test('a page is shown once its code has loaded', async () => {
    for (const Screen of [firstScreen(page, 'Page'), lazyScreen(page, 'Page')]) {
      const { unmount } = await open(Screen)
      await screen.findByText('The page')
      unmount()
    }
  })

  test('a page whose code cannot be loaded while the service is down shows that the service did not respond', async (t) => {
    // React logs each error that a boundary catches.
    t.mock.method(console, 'error', () => {})
    for (const health of [lost, () => new Response('', { status: 502 })]) {
      serve({ 'GET /health': health })
      const { unmount } = await open(firstScreen(broken, 'Page'))
      await screen.findByText('The service did not respond.')
      unmount()
    }
  })

  test('when the code of a page no longer exists, the error of the import is kept, so that the router reloads the console', async (t) => {
    t.mock.method(console, 'error', () => {})
    serve({ 'GET /health': () => new Response('ok') })
    await open(firstScreen(broken, 'Page'))
    await screen.findByText(/Failed to fetch dynamically imported module/)
  })
})
