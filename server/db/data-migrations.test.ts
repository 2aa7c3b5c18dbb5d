import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { silentLog, testDatabase, type TestDatabase } from '../testing/database.ts'
import { migrationsOfRows } from '../testing/migration-statements.ts'
import { migrate } from './migrate.ts'

type Read = (sql: string) => Promise<Record<string, unknown>[]>

/**
 * A test case for a migration that changes or checks stored rows. All cases run in one database, so a migration also
 * has to handle the rows of earlier cases.
 */
interface DataMigration {
  number: number
  guarantee: string
  /** SQL that stores rows as the release before this migration did. */
  before: string
  after: (read: Read) => Promise<void>
}

const AT = `'2026-01-31T12:00:00Z'`
const ERASED = `u_${'a'.repeat(26)}`

/** Returns an insert into `history_events`. It fails when the CHECK constraint of the table does not allow `type`. */
const history = (id: string, type: string, actor = 'null') =>
  `insert into history_events (id, org_id, project_id, type, actor, created_at)
   values ('${id}', 'org_a', 'prj_a', '${type}', ${actor}, ${AT});`
const activity = (id: string, provider: string, more = `'create', 'worker', null, 'prj_a'`) =>
  `insert into activity (id, org_id, at, provider, actor, status, created_at, action, target, detail, project_id)
   values ('${id}', 'org_a', ${AT}, '${provider}', 'olga', 'ok', ${AT}, ${more});`
const model = (provider: string) =>
  `insert into model_connections (id, org_id, provider, label, models, default_model, is_default, created_at)
   values ('mdl_${provider}', 'org_a', '${provider}', 'Mine', '{m}', 'm', false, ${AT});`
const deployment = (status: string) =>
  `insert into deployments (id, org_id, project_id, tier, sha, status, created_at)
   values ('dep_${status}', 'org_a', 'prj_a', 'production', 'abc', '${status}', ${AT});`
const domain = (id: string, name: string, account: string) =>
  `insert into resources (id, org_id, project_id, tier, kind, name, account_id, state, updated_at, created_at)
   values ('${id}', 'org_a', 'prj_a', 'production', 'custom_domain', '${name}', '${account}', 'ok', ${AT}, ${AT});`
const mail = (kind: string) =>
  `insert into mails (id, kind, recipient, state, updated_at, created_at)
   values ('mail_${kind}', '${kind}', 'olga@example.com', 'sent', ${AT}, ${AT});`
const run = (id: string, more: { columns?: string; values?: string; attempt?: number; at?: string } = {}) =>
  `insert into runs (id, org_id, project_id, ticket_id, attempt, status, stage, trigger, scopes, lease, provider, model,
     limits, input, files, checks, usage, last_seq, created_at${more.columns ?? ''})
   values ('${id}', 'org_a', 'prj_a', 'tkt_root', ${more.attempt ?? 1}, 'succeeded', 'tools', 'api', '{}', 1, 'scaffold', 'm',
     '{"steps":9}', '{"text":"go"}', '[]', '{}', '{"input":1}', 3, ${more.at ?? AT}${more.values ?? ''});`

/** Rows in the format of the first release that had projects and tickets. */
const FIRST_ROWS = `
  insert into organization (id, name, slug, "createdAt")
    values ('org_a', 'A', 'a', now()), ('org_b', 'B', 'b', now()), ('org_c', 'C', 'c', now());
  insert into "user" (id, name, email, "emailVerified") values ('usr_olga', 'Olga', 'olga@example.com', true);
  insert into projects (id, org_id, name, name_fold, slug, updated_at, created_at)
    values ('prj_a', 'org_a', 'Plants', 'plants', 'plants', ${AT}, ${AT}),
           ('prj_b', 'org_b', 'Books', 'books', 'books', ${AT}, ${AT});
  insert into tickets (id, org_id, project_id, title, body, status, type, priority, parent_id, labels, source, updated_at, created_at)
    values ('tkt_root', 'org_a', 'prj_a', 'ＷＡＴＥＲ', 'The Ficus', 'todo', 'epic', 'high', null, '{home,green}', 'human', ${AT}, ${AT}),
           ('tkt_child', 'org_a', 'prj_a', 'Can', '', 'done', 'task', 'none', 'tkt_root', '{home}', 'human', ${AT}, ${AT}),
           ('tkt_leaf', 'org_a', 'prj_a', 'Tap', '', 'backlog', 'task', 'none', 'tkt_child', '{}', 'agent', ${AT}, ${AT});`

const MIGRATIONS: DataMigration[] = [
  {
    number: 4,
    guarantee: 'tickets get a search text, and the ticket counts and the counts of descendants are computed',
    before: FIRST_ROWS,
    async after(read) {
      assert.deepEqual(await read('select id, search_fold, is_active from tickets order by id'), [
        { id: 'tkt_child', search_fold: 'can\n', is_active: false },
        { id: 'tkt_leaf', search_fold: 'tap\n', is_active: true },
        { id: 'tkt_root', search_fold: 'water\nthe ficus', is_active: true },
      ])
      assert.deepEqual(await read('select kind, value, n from ticket_counts order by kind, value'), [
        { kind: 'priority', value: 'high', n: 1 },
        { kind: 'priority', value: 'none', n: 2 },
        { kind: 'status', value: 'backlog', n: 1 },
        { kind: 'status', value: 'done', n: 1 },
        { kind: 'status', value: 'todo', n: 1 },
        { kind: 'type', value: 'epic', n: 1 },
        { kind: 'type', value: 'task', n: 2 },
      ])
      assert.deepEqual(await read('select label, n from label_counts order by label'), [
        { label: 'green', n: 1 },
        { label: 'home', n: 2 },
      ])
      assert.deepEqual(
        await read('select ticket_id, status, n, children from ticket_rollups order by ticket_id, status'),
        [
          { ticket_id: 'tkt_child', status: 'backlog', n: 1, children: 1 },
          { ticket_id: 'tkt_root', status: 'backlog', n: 1, children: 0 },
          { ticket_id: 'tkt_root', status: 'done', n: 1, children: 1 },
        ],
      )
      assert.deepEqual(await read(`select recount_tickets('prj_a') as wrong`), [{ wrong: 0 }])
    },
  },
  {
    number: 7,
    guarantee: 'activity of every earlier provider is kept, and the provider stripe is allowed',
    before: activity('act_1', 'cloudflare') + activity('act_2', 'github') + activity('act_3', 'slipway'),
    async after(read) {
      await read(activity('act_4', 'stripe'))
      await assert.rejects(read(activity('act_5', 'other')), /activity_provider_check/)
      assert.deepEqual(await ids(read, 'activity'), ['act_1', 'act_2', 'act_3', 'act_4'])
    },
  },
  {
    number: 10,
    guarantee: 'existing people have no second factor',
    before: '',
    async after(read) {
      assert.deepEqual(await read('select "twoFactorEnabled" from "user"'), [{ twoFactorEnabled: false }])
    },
  },
  {
    number: 14,
    guarantee: 'history entries of every earlier type are kept, and the type backed_up is allowed',
    before: [
      'built',
      'build_failed',
      'reverted',
      'shipped',
      'rolled_back',
      'renamed',
      'archived',
      'unarchived',
    ]
      .map((type) => history(`his_${type}`, type))
      .join(''),
    async after(read) {
      await read(history('his_backed_up', 'backed_up'))
      await assert.rejects(read(history('his_other', 'other')), /history_events_type_check/)
      assert.equal((await ids(read, 'history_events')).length, 9)
    },
  },
  {
    number: 15,
    guarantee: 'existing tickets have no attachments',
    before: '',
    async after(read) {
      assert.deepEqual(await read('select distinct attachments from tickets'), [{ attachments: [] }])
    },
  },
  {
    number: 16,
    guarantee: 'model connections of every earlier provider are kept, and the provider workers-ai is allowed',
    before: ['anthropic', 'openai', 'google', 'openai-compatible', 'scaffold'].map(model).join(''),
    async after(read) {
      await read(model('workers-ai'))
      await assert.rejects(read(model('other')), /model_connections_provider_check/)
      assert.equal((await ids(read, 'model_connections')).length, 6)
    },
  },
  {
    number: 17,
    guarantee: 'existing connections count as OAuth sign-ins, and their cloud accounts are stored',
    before: `
      insert into connections (id, org_id, provider, profile, account_id, account_name, subdomain, token, scopes, status, created_at)
      values ('con_named', 'org_a', 'cloudflare', 'real', 'acc_1', 'Olga Inc', 'olga', 'x', '{}', 'connected', ${AT}),
             ('con_github', 'org_a', 'github', 'real', 'gh_1', 'olga', null, 'x', '{}', 'connected', ${AT}),
             ('con_unnamed', 'org_b', 'cloudflare', 'local', 'acc_2', null, null, 'x', '{}', 'needs_reconnect', ${AT}),
             ('con_unchosen', 'org_c', 'cloudflare', 'real', null, null, null, 'x', '{}', 'connected', ${AT});`,
    async after(read) {
      assert.deepEqual(await read('select method, count(*) as n from connections group by 1'), [
        { method: 'oauth', n: 4 },
      ])
      assert.deepEqual(
        await read('select org_id, account_id, profile, name, subdomain from cloud_accounts order by org_id'),
        [
          { org_id: 'org_a', account_id: 'acc_1', profile: 'real', name: 'Olga Inc', subdomain: 'olga' },
          { org_id: 'org_b', account_id: 'acc_2', profile: 'local', name: 'acc_2', subdomain: null },
        ],
      )
      assert.deepEqual(await read(`select count(*) as n from cloud_accounts where connected_at = ${AT}`), [
        { n: 2 },
      ])
    },
  },
  {
    number: 18,
    guarantee: 'existing domains are kept, and only one project can use a host name',
    before: domain('res_1', 'plants.example.com', 'acc_1') + domain('res_2', 'books.example.com', 'acc_1'),
    async after(read) {
      assert.deepEqual(await ids(read, 'resources'), ['res_1', 'res_2'])
      await assert.rejects(read(domain('res_3', 'plants.example.com', 'acc_2')), /resources_custom_domain/)
    },
  },
  {
    number: 19,
    guarantee: 'deployments of every earlier status are kept, and the status rolled_back is allowed',
    before: ['deploying', 'live', 'superseded', 'failed'].map(deployment).join(''),
    async after(read) {
      await read(deployment('rolled_back'))
      await assert.rejects(read(deployment('other')), /deployments_status_check/)
      assert.equal((await ids(read, 'deployments')).length, 5)
    },
  },
  {
    number: 24,
    guarantee: 'the number of process deaths of existing runs is 0',
    before: run('run_plain'),
    async after(read) {
      assert.deepEqual(await read('select deaths from runs'), [{ deaths: 0 }])
    },
  },
  {
    number: 25,
    guarantee: 'existing tickets and plan messages are not marked as containing text of other systems',
    before: `
      insert into plan_messages (id, org_id, project_id, role, status, text, attachments, tickets, lease, created_at)
      values ('msg_1', 'org_a', 'prj_a', 'user', 'complete', 'hi', '[]', '{}', 1, ${AT});`,
    async after(read) {
      assert.deepEqual(await read('select distinct from_outside from tickets'), [{ from_outside: false }])
      assert.deepEqual(await read('select read_outside from plan_messages'), [{ read_outside: false }])
    },
  },
  {
    number: 26,
    guarantee:
      'the history names people by id, projects with a disabled capability are due for a rebind, builds of the last hour count',
    before: `
      insert into capabilities (project_id, key, enabled, settings, state, generation, created_at)
        values ('prj_a', 'mail', false, '{}', 'idle', 1, ${AT}), ('prj_a', 'auth', true, '{}', 'idle', 1, ${AT}),
               ('prj_b', 'auth', true, '{}', 'idle', 1, ${AT});
      ${history('evt_mail', 'shipped', `'olga@example.com'`)} ${history('evt_id', 'shipped', `'usr_olga'`)}
      ${history('his_key', 'built', `'key_1'`)}
      ${run('run_recent', { columns: ', deaths', values: ', 0', at: `now() - interval '5 minutes'` })}
      ${run('run_resumed', { columns: ', deaths', values: ', 0', attempt: 2, at: `now() - interval '4 minutes'` })}`,
    async after(read) {
      assert.deepEqual(
        await read(`select id, actor from history_events where id ~ 'mail|id|key' order by id`),
        [
          { id: 'his_id', actor: 'usr_olga' },
          { id: 'his_key', actor: null },
          { id: 'his_mail', actor: 'usr_olga' },
        ],
      )
      assert.equal((await ids(read, 'history_events')).length, 12)
      assert.deepEqual(await read('select id, rebind_due from projects order by id'), [
        { id: 'prj_a', rebind_due: true },
        { id: 'prj_b', rebind_due: false },
      ])
      assert.deepEqual(
        await read(
          `select s.org_id, s.created_at = r.created_at as at from build_starts s, runs r where r.id = 'run_recent'`,
        ),
        [{ org_id: 'org_a', at: true }],
      )
      assert.deepEqual(await read('select count(distinct first_place) as n from label_counts'), [{ n: 2 }])
    },
  },
  {
    number: 29,
    guarantee:
      'JSON texts are converted to JSON columns, run events get their type and runs their preview address',
    before: `
      update runs set questions = '[{"id":"q"}]', error = '{"code":"x"}' where id = 'run_plain';
      insert into run_inputs (id, org_id, run_id, ticket_id, text, delivery, created_at, files)
        values ('inp_1', 'org_a', 'run_plain', 'tkt_root', 'hi', 'delivered', ${AT}, '["a"]'),
               ('inp_2', 'org_a', 'run_plain', 'tkt_root', 'hi', 'delivered', ${AT}, null);
      insert into preview_errors (ticket_id, project_id, errors, created_at) values ('tkt_root', 'prj_a', '["oops"]', ${AT});
      insert into run_events (run_id, seq, body, at)
        values ('run_plain', 1, '{"seq":1,"type":"delta","text":"\\"type\\":\\"tool\\""}', ${AT}),
               ('run_plain', 2, '{"seq":2,"type":"tool","name":"read"}', ${AT}),
               ('run_plain', 3, '{"type":"preview","url":"https://p.example.com"}', ${AT}),
               ('run_plain', 4, '{"of":"a form that no release wrote"}', ${AT});`,
    async after(read) {
      assert.deepEqual(
        await read(
          `select limits, input, files, checks, questions, error, usage, preview_url from runs where id = 'run_plain'`,
        ),
        [
          {
            limits: { steps: 9 },
            input: { text: 'go' },
            files: [],
            checks: {},
            questions: [{ id: 'q' }],
            error: { code: 'x' },
            usage: { input: 1 },
            preview_url: 'https://p.example.com',
          },
        ],
      )
      assert.deepEqual(await read(`select questions, error, preview_url from runs where id = 'run_recent'`), [
        { questions: null, error: null, preview_url: null },
      ])
      assert.deepEqual(await read('select files from run_inputs order by id'), [
        { files: ['a'] },
        { files: null },
      ])
      assert.deepEqual(await read('select errors from preview_errors'), [{ errors: ['oops'] }])
      assert.deepEqual(await read('select seq, type from run_events order by seq'), [
        { seq: 1, type: 'delta' },
        { seq: 2, type: 'tool' },
        { seq: 3, type: 'preview' },
        { seq: 4, type: 'delta' },
      ])
    },
  },
  {
    number: 31,
    guarantee: 'the activity log no longer contains the ids of erased people',
    before:
      activity('act_erase', 'slipway', `'app_user.erase', '${ERASED}', null, 'prj_a'`) +
      activity('act_about', 'slipway', `'app_user.block', 'person ${ERASED}', 'by ${ERASED}', 'prj_a'`) +
      activity('act_else', 'slipway', `'app_user.block', '${ERASED}', null, 'prj_b'`) +
      activity('act_form', 'slipway', `'app_user.erase', 'everyone', 'everyone', 'prj_a'`),
    async after(read) {
      assert.deepEqual(
        await read(`select id, target, detail from activity where id ~ '_[a-z]+$' order by id`),
        [
          { id: 'act_about', target: 'person erased', detail: 'by erased' },
          { id: 'act_else', target: ERASED, detail: null },
          { id: 'act_erase', target: 'erased', detail: null },
          { id: 'act_form', target: 'everyone', detail: 'everyone' },
        ],
      )
    },
  },
  {
    number: 34,
    guarantee: 'mails of every earlier kind are kept, and the kind account-deleted is allowed',
    before: ['verify', 'reset', 'invitation', 'two-factor'].map(mail).join(''),
    async after(read) {
      await read(mail('account-deleted'))
      await assert.rejects(read(mail('other')), /mails_kind_check/)
      assert.equal((await ids(read, 'mails')).length, 5)
    },
  },
  {
    number: 35,
    guarantee: 'mails of every earlier kind are kept, and the kind help-answered is allowed',
    before: '',
    async after(read) {
      await read(mail('help-answered'))
      await assert.rejects(read(mail('other')), /mails_kind_check/)
      assert.equal((await ids(read, 'mails')).length, 6)
    },
  },
  {
    number: 38,
    guarantee: 'existing tickets depend on no other',
    before: '',
    async after(read) {
      assert.deepEqual(await read('select distinct depends_on from tickets'), [{ depends_on: [] }])
    },
  },
  {
    number: 39,
    guarantee: 'builds of an organization with a security policy may add curated packages only',
    before: `
      insert into security_policies (org_id, require_sso, require_two_factor, allowed_ips, updated_at, created_at)
      values ('org_a', false, true, '{10.0.0.0/8}', ${AT}, ${AT});`,
    async after(read) {
      assert.deepEqual(
        await read('select require_two_factor, allowed_ips, any_packages from security_policies'),
        [{ require_two_factor: true, allowed_ips: ['10.0.0.0/8'], any_packages: false }],
      )
    },
  },
  {
    number: 40,
    guarantee: 'used tokens are counted by ticket and by month in UTC, cached ones as a tenth',
    before: `
      insert into token_usage (project_id, run_id, provider, model, input, output, reasoning, cache_read, cache_write, estimated, created_at)
        values ('prj_a', 'run_plain', 'p', 'm', 100, 7, 3, 15, 20, false, '2026-01-31T23:30:00-01:00'),
               ('prj_a', null, 'p', 'm', 10, 1, 0, 0, 0, true, '2026-02-02T00:00:00Z'),
               ('prj_b', null, 'p', 'm', 5, 0, 0, 5, 0, false, ${AT});
      insert into build_queue (org_id, project_id, ticket_id, position, scopes, created_at, waiting)
        values ('org_a', 'prj_a', 'tkt_root', 1, '{}', ${AT}, 'allowance');
      update tickets set queue_refusal = 'awaiting' where id = 'tkt_leaf';`,
    async after(read) {
      assert.deepEqual(await read('select counted, ticket_id from token_usage order by id'), [
        { counted: 94, ticket_id: 'tkt_root' },
        { counted: 11, ticket_id: null },
        { counted: 1, ticket_id: null },
      ])
      assert.deepEqual(await read('select org_id, month, used from token_months order by org_id, month'), [
        { org_id: 'org_a', month: '2026-02', used: 105 },
        { org_id: 'org_b', month: '2026-01', used: 1 },
      ])
      assert.deepEqual(await read('select waiting from build_queue'), [{ waiting: 'allowance' }])
      assert.deepEqual(await read(`select queue_refusal from tickets where id = 'tkt_leaf'`), [
        { queue_refusal: 'awaiting' },
      ])
      await read(`update build_queue set waiting = 'tokens'`)
      await read(`update tickets set queue_refusal = 'ticket_tokens' where id = 'tkt_leaf'`)
    },
  },
  {
    number: 46,
    guarantee: 'existing domains are kept, and a lease is deleted with its project',
    before: `
      insert into projects (id, org_id, name, name_fold, slug, updated_at, created_at)
        values ('prj_old', 'org_a', 'Old', 'old', 'old', ${AT}, ${AT});
      insert into domains (project_id, org_id, hostname, lease, leased_until, created_at)
        values ('prj_old', 'org_a', 'old.example.com', 'req_1', ${AT}, ${AT});`,
    async after(read) {
      assert.deepEqual(await read('select hostname from domains'), [{ hostname: 'old.example.com' }])
      await read(
        `insert into project_leases values ('prj_old', 'org_a', 'domain', 'req_2', ${AT});
         delete from projects where id = 'prj_old';`,
      )
      assert.deepEqual(await read('select holder from project_leases'), [])
    },
  },
]

describe('rows of earlier releases', () => {
  let database: TestDatabase
  let read: Read
  before(async () => {
    database = await testDatabase({ empty: true })
    read = reader(database)
  })
  after(() => database.drop())

  for (const { number, guarantee, before: rows, after: check } of MIGRATIONS)
    test(`migration ${number}: ${guarantee}`, async () => {
      await migrateThrough(database, number - 1)
      await read(rows)
      await migrateThrough(database, number)
      await check(read)
    })

  test('a database that contains rows of every earlier release is migrated to this release', async () => {
    await migrateThrough(database, undefined)
    assert.deepEqual(await ids(read, 'projects'), ['prj_a', 'prj_b'])
    assert.deepEqual(await ids(read, 'runs'), ['run_plain', 'run_recent', 'run_resumed'])
  })

  test('every migration that changes or checks stored rows has a test case with rows of the release before the migration', async () => {
    assert.deepEqual(
      MIGRATIONS.map(({ number }) => number),
      await migrationsOfRows(),
    )
  })
})

describe('a migration that fails because of stored rows', () => {
  let database: TestDatabase
  let read: Read
  before(async () => {
    database = await testDatabase({ empty: true })
    read = reader(database)
    await migrateThrough(database, 17)
    await read(FIRST_ROWS)
  })
  after(() => database.drop())

  const lastMigration = () => read('select max(number) as number from schema_migrations')

  test('migration 18 fails and changes nothing when two projects have the same domain, and the error names the domain', async () => {
    await read(
      domain('res_1', 'plants.example.com', 'acc_1') + domain('res_2', 'plants.example.com', 'acc_2'),
    )
    await assert.rejects(migrateThrough(database, 18), {
      message:
        'Migration 18_domain failed and changed nothing: could not create unique index "resources_custom_domain". ' +
        'Key (name)=(plants.example.com) is duplicated.',
    })
    assert.deepEqual(await ids(read, 'resources'), ['res_1', 'res_2'])
    assert.deepEqual(await read(`select to_regclass('domains') as domains`), [{ domains: null }])
    assert.deepEqual(await lastMigration(), [{ number: 17 }])
    await read(`delete from resources where id = 'res_2'`)
    await migrateThrough(database, 18)
    assert.deepEqual(await lastMigration(), [{ number: 18 }])
  })

  test('migration 29 fails at a stored string that is not JSON and rolls back the columns that it has converted', async () => {
    await migrateThrough(database, 28)
    await read(run('run_1', { columns: ', deaths, error', values: `, 0, 'oops'` }))
    const before = await read('select * from runs')
    await assert.rejects(migrateThrough(database, 29), {
      message:
        'Migration 29_run_frames failed and changed nothing: invalid input syntax for type json. Token "oops" is invalid.',
    })
    assert.deepEqual(await read('select * from runs'), before)
    assert.equal(before[0]?.['limits'], '{"steps":9}')
    assert.deepEqual(await lastMigration(), [{ number: 28 }])
  })
})

const migrateThrough = (database: TestDatabase, through: number | undefined) =>
  migrate({ url: database.url, log: silentLog, ...(through !== undefined && { through }) })

const reader =
  (database: TestDatabase): Read =>
  async (sql) =>
    (await database.pool.query<Record<string, unknown>>(sql)).rows

async function ids(read: Read, table: string): Promise<unknown[]> {
  return (await read(`select id from ${table} order by id`)).map(({ id }) => id)
}
