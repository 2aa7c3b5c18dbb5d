import { type AccessLevel, isForMembers } from '../reading/access.ts'
import type { ScaffoldFields } from '../reading/fields.ts'
import { article, namesOf } from '../reading/names.ts'
import { sampleRecord } from './pages.ts'
import { capitalize, sentenceCase } from '../reading/words.ts'

/** The names and paths of an extra are derived from its list's name. */
export const summaryNames = (collection: string) => {
  const { component, path, one } = namesOf(collection)
  const file = `${component}Summaries.tsx`
  return {
    task: `summarize${component}`,
    page: { path: `${path}-summaries`, file, title: `${capitalize(one)} summaries` },
    pagePath: `web/pages/${file}`,
    testPath: `tests/summarize${component}.test.ts`,
  }
}
export const pdfNames = (collection: string) => {
  const { component, path, many } = namesOf(collection)
  const file = `${component}Pdf.tsx`
  return {
    handler: `${collection}Pdf`,
    page: { path: `${path}-pdf`, file, title: `${capitalize(many)} as PDF` },
    pagePath: `web/pages/${file}`,
    handlerPath: `server/${collection}Pdf.ts`,
    testPath: `tests/${collection}Pdf.test.ts`,
  }
}

/** Returns the AI task of `app.json` that summarizes a record. Everyone who may read the list may run it. */
export const summaryTask = (collection: string, access: AccessLevel) => ({
  task: summaryNames(collection).task,
  system: `Summarize this ${namesOf(collection).one} in at most three sentences. Say only what is in it.`,
  access: isForMembers(access) ? 'members' : 'public',
})

/**
 * Returns the source of an extra's page: a list of records, and a dialog that renders `component` for the opened record. `body` is the
 * source of the component.
 */
function extraPageSource(
  collection: string,
  { title, description, imports, react, component, body }: Record<string, string>,
): string {
  const { one, many } = namesOf(collection)
  return `import { ${imports} } from '@slipway/app/react'
import { ${react} } from 'react'

type Opened = RecordOf<'${collection}'>

export default function ${component}Page() {
  const [opened, setOpened] = useState<Opened | null>(null)
  return (
    <Page title="${title}" description="${description}">
      <RecordList
        collection="${collection}"
        onOpen={setOpened}
        empty={<EmptyState title="No ${many} yet">Each ${one} can be opened here.</EmptyState>}
      />
      <Dialog title="${capitalize(one)}" open={opened !== null} onClose={() => setOpened(null)}>
        {opened !== null && <${component} key={opened.id} record={opened} />}
      </Dialog>
    </Page>
  )
}

${body}`
}

export const summaryPage = (collection: string): string =>
  extraPageSource(collection, {
    ...summaryNames(collection).page,
    description: `Open ${article(namesOf(collection).one)} ${namesOf(collection).one} to have it summarized.`,
    imports: 'ai, Button, Dialog, EmptyState, Notice, Page, RecordList, type RecordOf, useAction',
    react: 'useState',
    component: 'Summary',
    body: `/** Asks a model only after a press, because every answer is paid for. */
function Summary({ record }: { record: Opened }) {
  const [text, setText] = useState('')
  const summarize = useAction(() => ai.task('${summaryNames(collection).task}', record, { onText: setText }))
  return (
    <>
      {summarize.problem !== null && <Notice kind="bad">{summarize.problem.text}</Notice>}
      <p role="status">{text}</p>
      <Button kind="primary" disabled={summarize.busy} onClick={() => summarize.run()}>
        {text === '' ? 'Summarize' : 'Summarize again'}
      </Button>
    </>
  )
}
`,
  })

export const pdfPage = (collection: string): string =>
  extraPageSource(collection, {
    ...pdfNames(collection).page,
    description: `Open ${article(namesOf(collection).one)} ${namesOf(collection).one} to have it as a file.`,
    imports: 'Button, Dialog, EmptyState, Notice, Page, RecordList, type RecordOf, useAction',
    react: 'useEffect, useState',
    component: 'Pdf',
    body: `/** Makes a file only after a press, because the files of a month are limited. */
function Pdf({ record }: { record: Opened }) {
  const [url, setUrl] = useState('')
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  const make = useAction(async () => {
    const answer = await fetch(\`/api/${collection}/\${record.id}/pdf\`)
    if (!answer.ok) throw new Error('The file could not be made. Try again later.')
    setUrl(URL.createObjectURL(await answer.blob()))
  })
  return (
    <>
      {make.problem !== null && <Notice kind="bad">{make.problem.text}</Notice>}
      {url === '' ? (
        <Button kind="primary" disabled={make.busy} onClick={() => make.run()}>
          Make the PDF
        </Button>
      ) : (
        <a href={url} download="${namesOf(collection).one.replaceAll(' ', '-')}.pdf">
          Download the PDF
        </a>
      )}
    </>
  )
}
`,
  })

/** Returns source text with a label and a value for each field of `record`. */
export const rowsSource = (fields: ScaffoldFields): string =>
  Object.entries(fields)
    // Omit references and files: their ids mean nothing on paper.
    .filter(([, { type }]) => type !== 'ref' && type !== 'file')
    .map(([name, { type }]) => {
      const value = type === 'boolean' ? `record.${name} ? 'Yes' : 'No'` : `record.${name}`
      return `    ['${sentenceCase(name)}', ${type === 'date' ? `${value}?.slice(0, 10)` : value}],`
    })
    .join('\n')

/** Returns the route that renders a record as PDF, for people who may read the record. */
export function pdfHandler(collection: string, fields: ScaffoldFields, heading: string | null): string {
  return `import { data, render } from '@slipway/app/server'
import type { Context } from 'hono'
import { html } from 'hono/html'

/** Sends a record as a PDF file to those who may read it. */
export async function ${pdfNames(collection).handler}(c: Context) {
  const record = await data.as(c.req.raw).get('${collection}', c.req.param('id') ?? '')
  const rows = [
${rowsSource(fields)}
  ]
  const page = await html\`<style>body { font-family: sans-serif } th { padding-right: 24px; text-align: left }</style>
    <h1>${heading ?? capitalize(namesOf(collection).one)}</h1>
    <table>\${rows.map(([label, value]) => html\`<tr><th>\${label}</th><td>\${value ?? ''}</td></tr>\`)}</table>\`
  const pdf = await render.pdf({ html: String(page) })
  return c.body(pdf, 200, { 'content-type': 'application/pdf' })
}
`
}

/** Returns a test of the app: the PDF has the heading, and a visitor gets no PDF from a list for members. */
export function pdfTest(
  collection: string,
  fields: ScaffoldFields,
  access: AccessLevel,
  { heading, adding }: { heading: string | null; adding: 'free' | 'guarded' | 'limited' },
): string {
  const { one } = namesOf(collection)
  const isShut = isForMembers(access)
  const creator =
    adding === 'limited' && access === 'own'
      ? 'app.system.of(ada.user.id)'
      : adding !== 'free'
        ? 'app.system'
        : access === 'open'
          ? 'app.data'
          : 'ada.data'
  return `import { app, expect, test } from '@slipway/app/testing'

test('${article(one)} ${one} is made into a PDF${isShut ? ' for people who are signed in only' : ''}', async () => {
${creatorOf(access)}  const record = await ${creator}.create('${collection}', ${sampleRecord(fields)})
  const path = \`/api/${collection}/\${record.id}/pdf\`
  expect((await ${isShut ? 'ada' : 'app'}.get(path)).status).toBe(200)
  expect((await app.renders()).at(-1)?.html).toContain('<h1>${heading ?? capitalize(one)}</h1>')
${isShut ? '  expect((await app.get(path)).status).toBe(401)\n' : ''}})
`
}

export const creatorOf = (access: AccessLevel) =>
  access === 'open'
    ? ''
    : `  const ada = await app.signUp('Ada'${access === 'staff' ? ", { role: 'staff' }" : ''})\n`

/**
 * Returns a test file of the app. It tests that the AI task returns a summary and, when only signed-in people may
 * read the list, rejects visitors.
 */
export function summaryTest(collection: string, access: AccessLevel): string {
  const { one } = namesOf(collection)
  const isShut = isForMembers(access)
  const path = `/_app/ai/${summaryNames(collection).task}`
  return `import { app, expect, test } from '@slipway/app/testing'

test('${article(one)} ${one} is summarized${isShut ? ' for people who are signed in only' : ''}', async () => {
${isShut ? creatorOf(access) : ''}  await app.ai.answers('Short.')
  const { body } = await ${isShut ? 'ada' : 'app'}.post('${path}', { input: { text: 'A long one' } })
  expect(body.data.text).toBe('Short.')
${isShut ? `  expect((await app.post('${path}', { input: { text: 'A long one' } })).status).toBe(401)\n` : ''}})
`
}
