import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { AdminError } from '../../server/admin/admin-error.ts'
import type { AdminContext } from '../../server/admin/admin-context.ts'
import { UsageError } from './command-output.ts'
import { conversationLines, conversationTable, runHelp } from './help.ts'

const AT = new Date('2026-06-01T12:00:30.000Z')

/** The database has no rows: a command that reads a conversation fails with "not found" instead of the expected error. */
const admin: AdminContext = {
  db: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  now: AT,
  defaultPlan: 'free',
}

const plain = (lines: string[]) => lines.map(stripVTControlCharacters)

describe('the help desk of the operator', () => {
  test('a wrong command line of the help desk command is refused with its usage before anything is read', async () => {
    for (const args of [
      ['list', 'x'],
      ['show'],
      ['show', 'a', 'b'],
      ['close'],
      ['unknown', 'id'],
      ['reply'],
      ['toString', 'x'],
    ])
      await assert.rejects(runHelp(admin, { args, options: {} }), (error) => {
        assert.ok(error instanceof UsageError, String(error))
        assert.match(error.message, /list \| show <id>/)
        return true
      })
  })

  test('the help desk command refuses a reply without --text and pictures without --to, and names the missing option', async () => {
    await assert.rejects(runHelp(admin, { args: ['reply', 'hlp_1'], options: {} }), {
      message: /--text/,
    })
    await assert.rejects(runHelp(admin, { args: ['pictures', 'hlp_1'], options: { to: true } }), {
      message: /--to/,
    })
  })

  test('the help desk command checks the reply and its pictures before it reads a conversation', async () => {
    const reply = (pictures: string) =>
      runHelp(admin, { args: ['reply', 'hlp_1'], options: { text: 'Done.', pictures } })
    await assert.rejects(reply('/nowhere/a.png'), { message: 'The file /nowhere/a.png cannot be read.' })
    await assert.rejects(reply(import.meta.filename), (error) => {
      assert.ok(error instanceof AdminError)
      assert.match(error.message, /^help\.test\.ts is not a PNG, JPEG, WebP or GIF/)
      return true
    })
    await assert.rejects(reply(Array.from({ length: 4 }, () => import.meta.filename).join(',')), {
      message: 'An answer has at most 3 pictures.',
    })
    await assert.rejects(runHelp(admin, { args: ['reply', 'hlp_1'], options: { text: ' \n' } }), {
      message: /An answer has 1 to 20000/,
    })
  })

  test('the subject of a help conversation cannot look like another conversation in the list', () => {
    const subject = 'Stuck\nhlp_2  open   2026-06-01 12:00  org_2         \x1b[2JUrgent'
    const lines = plain(
      conversationTable([
        { id: 'hlp_1', organizationId: 'org_1', subject, state: 'answered', lastActiveAt: AT },
        { id: 'hlp_3', organizationId: 'org_1', subject: 'Other', state: 'open', lastActiveAt: AT },
      ]),
    )
    assert.equal(lines.length, 3)
    assert.match(lines[1] ?? '', /^hlp_1  answered  2026-06-01 12:00  org_1 +Stuck hlp_2 {2}open/)
    assert.match(lines[2] ?? '', /^hlp_3  open      /)
    assert.deepEqual(conversationTable([]), ['No questions yet.'])
  })

  test('a shown help conversation has each name on one line, and no control characters except line breaks in messages', () => {
    const lines = plain(
      conversationLines({
        id: 'hlp_1',
        organizationId: 'org_1',
        subject: 'Stuck\nOrganization org_2',
        state: 'open',
        projectId: 'prj_1',
        projectName: 'Plants\r\u202eevil',
        plan: 'free',
        createdAt: AT.toISOString(),
        lastActiveAt: AT.toISOString(),
        console: { route: '\u009b2J/projects' },
        messages: [
          {
            id: 'hlm_1',
            author: 'member',
            name: 'Ada\nOperator',
            body: 'one\n\ttwo\x07',
            createdAt: AT.toISOString(),
            attachments: [{ id: 'hla_1', name: 'a\nb.png', contentType: 'image/png', size: 999_999 }],
          },
          {
            id: 'hlm_2',
            author: 'member',
            name: null,
            body: 'bye',
            createdAt: AT.toISOString(),
            attachments: [],
          },
        ],
      }),
    )
    assert.equal(lines[0], 'Stuck Organization org_2: open')
    assert.equal(lines[1], 'Organization org_1, plan free, project Plants evil (prj_1)')
    assert.ok(lines.includes('Ada Operator, 2026-06-01T12:00:30.000Z'))
    assert.ok(lines.includes('A deleted person, 2026-06-01T12:00:30.000Z'))
    assert.ok(lines.includes('one\n\ttwo'))
    assert.ok(lines.includes('  hla_1  a b.png  1.0 MB'))
    assert.doesNotMatch(lines.join('\n'), /[^\P{Cc}\n\t]/u)
  })
})
