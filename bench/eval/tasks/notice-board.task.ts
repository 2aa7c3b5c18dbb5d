import { listPage, scriptApp, TEXT_FIELD } from '../answers.ts'
import { addRecord, asPerson, expectText, expectNoText, signIn } from '../steps.ts'
import type { Task } from '../task.ts'

const BOARD_PAGE = {
  ...listPage('Notices', 'notices'),
  access: 'members' as const,
  source: `import { Button, data, Page, RecordForm, useQuery, useUser } from '@slipway/app/react'

export default function Notices() {
  const user = useUser()
  const { rows } = useQuery('notices', {})
  return (
    <Page title="Notices">
      <RecordForm collection="notices" submitLabel="Add" />
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            {row.title}
            {row.ownerId === user?.id && (
              <Button aria-label={\`Delete \${row.title}\`} onClick={() => void data.remove('notices', row.id)}>
                Delete
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Page>
  )
}
`,
}

export const task: Task = {
  name: 'notice-board',
  about: 'records that all members read and only their author removes',
  requires: ['free-form'],
  tickets: [
    {
      title: 'A notice board for members',
      body: 'People sign in and put up notices with a title. All members see all notices. Only the author has a button "Delete <title>" beside a notice, and only the author may delete it.',
      script: scriptApp({
        name: 'Notice board',
        uses: ['auth', 'data'],
        pages: [BOARD_PAGE],
        collections: {
          notices: { partition: 'app', read: 'members', write: 'owner', fields: { title: TEXT_FIELD } },
        },
      }),
      checks: [
        {
          name: 'another member sees a notice, without its Delete button',
          run: async (page) => {
            await signIn(page, 'Ada')
            await addRecord(page, [[/title/i, 'Bicycle for sale']])
            await page.getByRole('button', { name: 'Delete Bicycle for sale' }).first().waitFor()
            await asPerson(page, 'Ben', async (ben) => {
              await expectText(ben, 'Bicycle for sale')
              const buttons = ben.getByRole('button', { name: 'Delete Bicycle for sale' })
              if ((await buttons.count()) > 0) throw new Error('another member may delete it')
            })
          },
        },
        {
          name: 'the author deletes a notice',
          run: async (page) => {
            await signIn(page, 'Ada')
            await addRecord(page, [[/title/i, 'Lost umbrella']])
            await page.getByRole('button', { name: 'Delete Lost umbrella' }).first().click()
            const confirm = page.getByRole('dialog').getByRole('button', { name: /delete|remove|yes/i })
            if (await confirm.isVisible()) await confirm.click()
            await page.getByText('Lost umbrella').first().waitFor({ state: 'hidden' })
            await page.reload()
            await expectText(page, 'Bicycle for sale')
            await expectNoText(page, 'Lost umbrella')
          },
        },
      ],
    },
  ],
}
