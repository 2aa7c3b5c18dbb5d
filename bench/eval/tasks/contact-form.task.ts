import { listPage, scriptApp } from '../answers.ts'
import { addRecord, expectText } from '../steps.ts'
import type { Task } from '../task.ts'

const FORM_PAGE = `import { api, Button, Notice, Page, TextArea, TextField, useAction } from '@slipway/app/react'
import { useState } from 'react'

export default function Contact() {
  const [email, setEmail] = useState('')
  const [message, setMessage] = useState('')
  const [sent, setSent] = useState('')
  const send = useAction(async () => {
    setSent((await api.post<{ subject: string }>('/api/contact', { email, message })).subject)
  })
  return (
    <Page title="Contact">
      <form className="form" noValidate onSubmit={send.onSubmit}>
        <TextField label="Email" value={email} onChange={setEmail} />
        <TextArea label="Message" value={message} onChange={setMessage} />
        {send.problem !== null && <Notice>{send.problem.text}</Notice>}
        <Button type="submit">Send</Button>
      </form>
      {sent !== '' && <p role="status">{\`Sent: \${sent}\`}</p>}
    </Page>
  )
}
`
const ROUTES_TS = `import { ApiError, email } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/contact', async (c) => {
  const { email: to, message } = await c.req.json<{ email: string; message: string }>()
  if (!/^[^@\\s]+@[^@\\s]+$/.test(to)) throw new ApiError('invalid_request', 'Give a valid address.')
  await email.send({ to, subject: 'We have your message', text: message })
  return c.json({ subject: 'We have your message' })
})
`

export const task: Task = {
  name: 'contact-form',
  about: 'mail that the server sends',
  requires: ['free-form'],
  tickets: [
    {
      title: 'A contact form that confirms by mail',
      body: 'The form has "Email" and "Message" and a button "Send". The server mails the message to that address with the subject "We have your message", and the page then says "Sent: We have your message". An address without @ is refused with "Give a valid address." and nothing is sent.',
      script: scriptApp({
        name: 'Contact',
        uses: ['email'],
        pages: [{ ...listPage('Contact', ''), source: FORM_PAGE }],
        files: { 'server/routes.ts': ROUTES_TS },
      }),
      checks: [
        {
          name: 'a message is confirmed',
          run: async (page) => {
            await addRecord(page, [
              [/e-?mail/i, 'ada@example.test'],
              [/message/i, 'Hello'],
            ])
            await expectText(page, /Sent: We have your message/)
          },
        },
        {
          name: 'a wrong address is refused',
          run: async (page) => {
            await addRecord(page, [
              [/e-?mail/i, 'nowhere'],
              [/message/i, 'Hello'],
            ])
            await expectText(page, /valid address/i)
          },
        },
      ],
    },
  ],
}
