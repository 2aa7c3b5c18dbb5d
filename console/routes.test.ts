import assert from 'node:assert/strict'
import { test } from 'node:test'
import { href, safeReturnPath } from './routes.ts'

test('every address of the console', () => {
  assert.deepEqual(
    [
      href.home(),
      href.signIn(),
      href.signIn('/projects/prj_1?tab=build'),
      href.signUp(),
      href.device(),
      href.device('WDJB-MJHT'),
      href.projects(),
      href.projects('a&b'),
      href.project('prj_1'),
      href.project('prj_1', { ticket: 'tkt_1', tab: 'ticket', pane: 'work' }),
      href.activity(),
      href.activity({ project: 'prj_1', from: '2026-01-31', to: '2026-02-01' }),
      href.ship('prj_1'),
      href.insights('prj_1'),
      href.domain('prj_1'),
      href.assets('prj_1'),
      href.capabilities('prj_1'),
      href.capability('prj_1', 'files', { tab: 'live', key: 'a/b.png' }),
      href.collection('prj_1', 'plants', { q: 'a&b', record: 'app/1' }),
      href.settings(),
      href.members(),
      href.models(),
      href.connections(),
      href.keys(),
      href.webhooks(),
      href.ingest(),
      href.security(),
    ],
    [
      '/',
      '/sign-in',
      '/sign-in?next=%2Fprojects%2Fprj_1%3Ftab%3Dbuild',
      '/sign-up',
      '/device',
      '/device?code=WDJB-MJHT',
      '/projects',
      '/projects?q=a%26b',
      '/projects/prj_1',
      '/projects/prj_1?ticket=tkt_1&tab=ticket&pane=work',
      '/activity',
      '/activity?project=prj_1&from=2026-01-31&to=2026-02-01',
      '/projects/prj_1/ship',
      '/projects/prj_1/insights',
      '/projects/prj_1/domain',
      '/projects/prj_1/assets',
      '/projects/prj_1/capabilities',
      '/projects/prj_1/capabilities/files?tab=live&key=a%2Fb.png',
      '/projects/prj_1/capabilities/data/plants?q=a%26b&record=app%2F1',
      '/settings',
      '/settings/members',
      '/settings/models',
      '/settings/connections',
      '/settings/keys',
      '/settings/webhooks',
      '/settings/ingest',
      '/settings/security',
    ],
  )
})

test('signing in leads back to a path of this console and to no other site', () => {
  assert.equal(safeReturnPath('/settings/keys'), '/settings/keys')
  for (const elsewhere of [
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    'javascript:alert(1)',
    '',
    undefined,
  ])
    assert.equal(safeReturnPath(elsewhere), '/projects')
})
