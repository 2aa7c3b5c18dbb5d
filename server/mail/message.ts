import { truncate } from '../lib/subject.ts'
import type { MailMessage } from '../mail-port.ts'

interface MailParts {
  subject: string
  lines: string[]
  action?: { label: string; url: string }
  /** Says what to do when the reader did not expect this mail. */
  footer: string
}

const PAGE_STYLE = 'margin:0;padding:24px;background:#f4f5f6;color:#1c2024;font:15px/1.5 system-ui,sans-serif'
const CARD_STYLE = 'max-width:480px;margin:0 auto;padding:28px;background:#fff;border-radius:12px'
const BUTTON_STYLE =
  'display:inline-block;padding:10px 18px;background:#0b5d66;color:#fff;border-radius:8px;text-decoration:none;font-weight:600'
const SMALL_STYLE = 'margin:20px 0 0;color:#60646c;font-size:13px'

/** Renders a mail. Its HTML loads nothing from a server, so opening the mail reveals nothing about the reader. */
export function renderMail({ subject, lines, action, footer }: MailParts): MailMessage {
  const text = [...lines, ...(action ? [`${action.label}:\n${action.url}`] : []), footer]
  const html = [
    ...lines.map((line) => `<p style="margin:0 0 14px">${escapeHtml(line)}</p>`),
    ...(action ? [buttonHtml(action)] : []),
    `<p style="${SMALL_STYLE}">${escapeHtml(footer)}</p>`,
  ]
  return {
    // Without `oneLine` a line break in the subject would begin another header.
    subject: oneLine(subject),
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="${PAGE_STYLE}"><div style="${CARD_STYLE}">${html.join('')}</div></body></html>`,
  }
}

/** Returns a button with its address below: some mail programs show no links, and careful readers check where a link leads. */
function buttonHtml({ label, url }: { label: string; url: string }): string {
  const href = escapeHtml(url)
  return `<p style="margin:20px 0"><a href="${href}" style="${BUTTON_STYLE}">${escapeHtml(label)}</a></p><p style="margin:0;color:#60646c;font-size:13px;word-break:break-all">${href}</p>`
}

const HTML_ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => HTML_ENTITIES[sign] ?? sign)

/**
 * Formats a name that another person chose: on one line and shortened. A word joiner (U+2060) after dots,
 * colons, slashes and `@` keeps mail programs from turning the name into a link.
 */
export function nameInMail(name: string): string {
  const plain = oneLine(name).replaceAll(/(?<=[\p{L}\p{N}:/])[.:/@](?=[\p{L}\p{N}/])/gu, '$&\u2060')
  return plain.length > 80 ? `${truncate(plain, 79)}…` : plain
}

const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
