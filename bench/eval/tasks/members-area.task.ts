import { listPage, scriptApp } from '../answers.ts'
import { openFromMenu, expectText, signIn } from '../steps.ts'
import type { Task } from '../task.ts'

const HOME_PAGE = `import { Page } from '@slipway/app/react'

export default () => <Page title="Rowing club">Welcome, everyone.</Page>
`
const LOUNGE_PAGE = `import { Page, useUser } from '@slipway/app/react'

export default function Lounge() {
  const user = useUser()
  return <Page title="Lounge">Hello, {user?.name ?? ''}.</Page>
}
`

export const task: Task = {
  name: 'members-area',
  about: 'a public page, and one behind sign-in',
  requires: ['free-form'],
  tickets: [
    {
      title: 'A club page with a lounge for members',
      body: 'The first page is public and says "Welcome, everyone." The page "Lounge", in the menu, is for people who are signed in and greets them: "Hello, Ada."',
      script: scriptApp({
        name: 'Rowing club',
        uses: ['auth'],
        pages: [
          { ...listPage('Rowing club', ''), source: HOME_PAGE },
          { ...listPage('Lounge', '', '/lounge'), access: 'members', source: LOUNGE_PAGE },
        ],
      }),
      checks: [
        { name: 'a visitor reads the first page', run: (page) => expectText(page, /Welcome, everyone/) },
        {
          name: 'a member is greeted by name in the lounge',
          run: async (page) => {
            await signIn(page, 'Ada')
            await openFromMenu(page, /lounge/i)
            await expectText(page, /Hello, Ada/)
          },
        },
        {
          name: 'a visitor does not get into the lounge',
          run: async (page) => {
            await page.goto(new URL('/lounge', page.url()).href)
            await page.getByLabel('Email').first().waitFor()
          },
        },
      ],
    },
  ],
}
