import type { Counter } from '../lib/counter.ts'
import { ApiError } from '../http/errors.ts'
import type { MailToSend } from '../mail-port.ts'
import { invitationMail } from '../mail/templates.ts'
import { resetMail } from '../mail/templates.ts'
import { twoFactorMail } from '../mail/templates.ts'
import { verificationMail } from '../mail/templates.ts'
import type { PlatformPorts } from '../platform.ts'

interface InvitationMail {
  id: string
  email: string
  role: string
  organization: { id: string; name: string }
  inviter: { user: { name: string } }
}

/** Returns the mail callbacks of the auth library. Each callback queues its mail, so that no request waits for a mail server. */
export function authMails(platform: PlatformPorts<'mailer' | 'counters'>) {
  const { mailer, counters } = platform
  const perAddress = counters.open({ name: 'mails to', points: 3, seconds: 3600 })

  /** A mail beyond the limit is dropped silently, because an error response would reveal who has an account. */
  const enqueueLimited = async (mail: MailToSend & { url: string }): Promise<void> => {
    if (await hasPoint(perAddress, mail.recipient)) return mailer.enqueue(mail)
    platform.log.warn({ kind: mail.kind, recipient: mail.recipient }, 'mail dropped: three were asked for')
  }

  return {
    async verify({ user, url }: { user: { email: string }; url: string }): Promise<void> {
      const link = withDefaultReturn(url)
      const message = verificationMail({ url: link })
      await enqueueLimited({ kind: 'verify', recipient: user.email, message, url: link })
    },
    async reset({ user, token }: { user: { email: string }; token: string }): Promise<void> {
      const url = `${mailer.baseUrl}/reset?${new URLSearchParams({ token }).toString()}`
      await enqueueLimited({ kind: 'reset', recipient: user.email, message: resetMail({ url }), url })
    },
    async invite({ id, email, role, organization, inviter }: InvitationMail): Promise<void> {
      const url = `${mailer.baseUrl}/invite/${encodeURIComponent(id)}`
      const names = { organization: organization.name, inviter: inviter.user.name }
      const message = invitationMail({ ...names, role, url })
      await mailer.enqueue({ kind: 'invitation', recipient: email, message, url })
    },
    async twoFactorChanged(user: { email: string; isOn: boolean }): Promise<void> {
      const url = `${mailer.baseUrl}/account`
      const message = twoFactorMail({ isOn: user.isOn, url })
      await mailer.enqueue({ kind: 'two-factor', recipient: user.email, message, url })
    },
  }
}

async function hasPoint(counter: Counter, bucket: string): Promise<boolean> {
  try {
    await counter.spend(bucket.toLowerCase())
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rate_limited') return false
    throw error
  }
}

/** Returns the link. A link without a return page gets the console page that shows the result of the verification. */
function withDefaultReturn(link: string): string {
  const url = new URL(link)
  if (url.searchParams.get('callbackURL') === '/') url.searchParams.set('callbackURL', '/verify-email')
  return url.href
}
