import assert from 'node:assert/strict'
import { listPage, scriptApp, TEXT_FIELD } from '../answers.ts'
import {
  askApp,
  asPerson,
  choosePicture,
  control,
  expectText,
  expectNoText,
  sendForm,
  signIn,
} from '../steps.ts'
import type { Task } from '../task.ts'

const RECEIPTS_PAGE = `import { files } from '@slipway/app/client'
import { Page, RecordForm, useQuery } from '@slipway/app/react'

export default function Receipts() {
  const { rows } = useQuery('receipts', {})
  return (
    <Page title="Receipts">
      <RecordForm collection="receipts" submitLabel="Add" />
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <a href={files.linkOf({ collection: 'receipts', id: row.id, field: 'scan' })}>{\`Open \${row.title}\`}</a>
          </li>
        ))}
      </ul>
    </Page>
  )
}
`

export const task: Task = {
  name: 'receipts',
  about: 'uploads that belong to one person',
  requires: ['free-form'],
  tickets: [
    {
      title: 'Keep my receipts',
      body: 'People sign in and upload receipts: a title and a scan (a picture). Each person sees only their own, each with a link "Open <title>" that shows the scan. The link works for its owner only.',
      script: scriptApp({
        name: 'Receipts',
        uses: ['auth', 'data', 'files'],
        pages: [{ ...listPage('Receipts', ''), access: 'members', source: RECEIPTS_PAGE }],
        collections: {
          receipts: {
            partition: 'user',
            fields: { title: TEXT_FIELD, scan: { type: 'file', required: true } },
          },
        },
      }),
      checks: [
        {
          name: 'the owner opens the scan; another person neither sees nor opens it',
          run: async (page) => {
            await signIn(page, 'Ada')
            await control(page, /title/i).fill('Train ticket')
            await choosePicture(page, 'scan.png')
            await sendForm(page)
            const link = page.getByRole('link', { name: 'Open Train ticket' }).first()
            const url = (await link.getAttribute('href')) ?? ''
            assert.equal(await askApp(page, url), 200)
            await asPerson(page, 'Ben', async (ben) => {
              await control(ben, /title/i).waitFor()
              await expectNoText(ben, /Train ticket/)
              assert.ok((await askApp(ben, url)) >= 400, 'another person opens the scan')
            })
            await expectText(page, /Open Train ticket/)
          },
        },
      ],
    },
  ],
}
