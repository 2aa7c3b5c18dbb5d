import assert from 'node:assert/strict'
import { test } from 'node:test'
import { href, safeReturnPath } from './routes.ts'

test('every function that builds a link returns the URL of its page with encoded parameters', () => {
  assert.deepEqual(
    [
      href.home(),
      href.signIn(),
      href.signIn('/projects/prj_1?tab=build'),
      href.signUp(),
      href.twoFactor('/projects'),
      href.reset(),
      href.reset('a b'),
      href.verifyEmail({ email: 'ada@example.test', next: '/activity' }),
      href.verifyEmail(),
      href.invitation('inv/1'),
      href.welcome(),
      href.device(),
      href.device('WDJB-MJHT'),
      href.projects(),
      href.projects('a&b'),
      href.newProject(),
      href.project('prj_1'),
      href.project('prj_1', { ticket: 'tkt_1', tab: 'ticket', pane: 'work' }),
      href.project('prj_1', { view: 'board', q: 'a&b', status: 'todo' }),
      href.activity(),
      href.activity({ project: 'prj_1', from: '2026-01-31', to: '2026-02-01' }),
      href.code('prj_1'),
      href.code('prj_1', { path: 'pages/Home.tsx', sha: '4f2c1ab' }, 'L12-L20'),
      href.versions('prj_1'),
      href.versions('prj_1', { sha: '4f2c1ab', base: '9d0e7aa' }),
      href.runs('prj_1'),
      href.runs('prj_1', 'tokens'),
      href.run('prj_1', 'run_1'),
      href.projectSettings('prj_1'),
      href.ship('prj_1'),
      href.insights('prj_1'),
      href.domain('prj_1'),
      href.assets('prj_1'),
      href.capabilities('prj_1'),
      href.capability('prj_1', 'files', { tab: 'live', key: 'a/b.png' }),
      href.collection('prj_1', 'plants', { q: 'a&b', record: 'app/1' }),
      href.collection('prj_1', 'plants', { sort: '-due', where: '{"done":false}' }),
      href.account(),
      href.deletion(),
      href.help(),
      href.helpThread('hlp/1'),
      href.desk(),
      href.desk('closed'),
      href.deskThread('hlp/1'),
      href.settings(),
      href.organization(),
      href.members(),
      href.models(),
      href.connections(),
      href.keys(),
      href.webhooks(),
      href.ingest(),
      href.security(),
      href.billing(),
    ],
    [
      '/',
      '/sign-in',
      '/sign-in?next=%2Fprojects%2Fprj_1%3Ftab%3Dbuild',
      '/sign-up',
      '/two-factor?next=%2Fprojects',
      '/reset',
      '/reset?token=a+b',
      '/verify-email?email=ada%40example.test&next=%2Factivity',
      '/verify-email',
      '/invite/inv%2F1',
      '/welcome',
      '/device',
      '/device?code=WDJB-MJHT',
      '/projects',
      '/projects?q=a%26b',
      '/projects#new',
      '/projects/prj_1',
      '/projects/prj_1?ticket=tkt_1&tab=ticket&pane=work',
      '/projects/prj_1?view=board&q=a%26b&status=todo',
      '/activity',
      '/activity?project=prj_1&from=2026-01-31&to=2026-02-01',
      '/projects/prj_1/code',
      '/projects/prj_1/code?path=pages%2FHome.tsx&sha=4f2c1ab#L12-L20',
      '/projects/prj_1/versions',
      '/projects/prj_1/versions?sha=4f2c1ab&base=9d0e7aa',
      '/projects/prj_1/runs',
      '/projects/prj_1/runs?view=tokens',
      '/projects/prj_1/runs/run_1',
      '/projects/prj_1/settings',
      '/projects/prj_1/ship',
      '/projects/prj_1/insights',
      '/projects/prj_1/domain',
      '/projects/prj_1/assets',
      '/projects/prj_1/capabilities',
      '/projects/prj_1/capabilities/files?tab=live&key=a%2Fb.png',
      '/projects/prj_1/capabilities/data/plants?q=a%26b&record=app%2F1',
      '/projects/prj_1/capabilities/data/plants?sort=-due&where=%7B%22done%22%3Afalse%7D',
      '/account',
      '/account/deletion',
      '/help',
      '/help/hlp%2F1',
      '/desk',
      '/desk?state=closed',
      '/desk/hlp%2F1',
      '/settings',
      '/settings/organization',
      '/settings/members',
      '/settings/models',
      '/settings/connections',
      '/settings/keys',
      '/settings/webhooks',
      '/settings/ingest',
      '/settings/security',
      '/settings/billing',
    ],
  )
})

test('a sign-in returns only to a path of this console, never to another site', () => {
  assert.equal(safeReturnPath('/settings/keys'), '/settings/keys')
  for (const elsewhere of [
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    // Browsers leave out tabs and line breaks, so these lead to another site, too.
    '/\t/evil.test',
    '/\n/evil.test',
    '\t//evil.test',
    '/\r\n/evil.test',
    'javascript:alert(1)',
    '',
    undefined,
  ])
    assert.equal(safeReturnPath(elsewhere), '/', String(elsewhere))
  for (const own of ['/projects/prj_1?tab=files&q=a%20b#top', '/a//b', '/ü 🌱'])
    assert.equal(safeReturnPath(own), own)
})

test('a path that a browser would read as the URL of another site is not opened after a sign-in', () => {
  // A URL parser drops tabs and line breaks, so `/<tab>/evil.test` is `//evil.test` in a link.
  for (const hidden of [
    '/\t/evil.test',
    '/\n/evil.test',
    '/\r/evil.test',
    '\t//evil.test',
    '/\t\\evil.test',
  ]) {
    const { origin } = new URL(safeReturnPath(hidden), 'https://slipway.test')
    assert.equal(origin, 'https://slipway.test', JSON.stringify(hidden))
  }
})

test('a sign-in returns to a path with a search, a fragment and characters of any language', () => {
  for (const path of ['/', '/projects?q=a%2Fb#L1', '/projects/prj_1/code?path=größe 日本.ts', '/a//b'])
    assert.equal(safeReturnPath(path), path)
})
