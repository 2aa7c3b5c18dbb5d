import type { ScriptedTurn } from './task.ts'

/**
 * One page of a scripted app. With the access `members`, only signed-in people see it; with `staff`, only people with the role `staff` see
 * it; without `access`, everyone does.
 */
interface ScriptedPage {
  path: string
  file: string
  title: string
  access?: 'members' | 'staff'
  source: string
}

/** A whole small app, which the scripted model writes as a good result of a ticket. */
interface ScriptedApp {
  name: string
  uses?: readonly string[]
  pages: readonly ScriptedPage[]
  collections?: Record<string, object>
  manifest?: object
  files?: Record<string, string>
}

export const toolCall = (name: string, args: object) => ({ name, args })

/**
 * A build must have a test when its app has records or routes. This minimal test suffices, because the checks of the task test what the app
 * does.
 */
const START_TEST = `import { app, expect, test } from '@slipway/app/testing'

test('the app starts', async () => {
  expect((await app.get('/_app/health')).status).toBe(200)
})
`

/** Returns the steps of the scripted model, which writes all files of the app, switches on its capabilities, and finishes. */
export function scriptApp(app: ScriptedApp): ScriptedTurn[] {
  const { name, uses = [], pages, collections = {}, manifest = {}, files = {} } = app
  const declared = {
    slipway: 1,
    name,
    uses,
    // `JSON.stringify` leaves out undefined properties, so the manifest contains no source code.
    pages: pages.map((page) => ({ ...page, source: undefined })),
    collections,
    ...manifest,
  }
  const written = {
    'app.json': JSON.stringify(declared, null, 2),
    ...Object.fromEntries(pages.map(({ file, source }) => [`web/pages/${file}`, source])),
    'tests/app.test.ts': START_TEST,
    ...files,
  }
  return [
    {
      toolCalls: [
        ...uses.map((key) => toolCall('enable_capability', { key })),
        ...Object.entries(written).map(([path, content]) => toolCall('write_file', { path, content })),
      ],
    },
    finish(),
  ]
}

export const finish = (summary = 'It is built.'): ScriptedTurn => ({
  toolCalls: [toolCall('finish', { summary })],
})

export const ask = (question: string, options: readonly string[]): ScriptedTurn => ({
  toolCalls: [
    toolCall('ask_user', { questions: [{ id: 'what', question, options, default: options[0] ?? '' }] }),
  ],
})

/** Returns a page with a form above the list of a collection. */
export const listPage = (title: string, collection: string, path = '/'): ScriptedPage => ({
  path,
  file: `${title.replaceAll(/\W/g, '')}.tsx`,
  title,
  source: `import { Page, RecordForm, RecordList } from '@slipway/app/react'

export default () => (
  <Page title="${title}">
    <RecordForm collection="${collection}" submitLabel="Add" />
    <RecordList collection="${collection}" />
  </Page>
)
`,
})

/** A collection that every visitor may read and write. */
export const openCollection = (title: string, fields: Record<string, object>) => ({
  title,
  partition: 'app',
  read: 'public',
  write: 'public',
  fields,
})

export const TEXT_FIELD = { type: 'text', required: true }
