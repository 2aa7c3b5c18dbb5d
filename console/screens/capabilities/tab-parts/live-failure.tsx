import { LinkButton } from '@cloudflare/kumo/components/button'
import { RocketLaunchIcon } from '@phosphor-icons/react'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { href } from '../../../routes.ts'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { text } from '../../../text/en.ts'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'

/** Explains why live data cannot be read: the app has not shipped yet, or the request failed. */
export function LiveFailure(props: { projectId: string; error: unknown; onRetry: () => void }) {
  if (!(props.error instanceof SlipwayError) || props.error.code !== 'not_enabled')
    return <FailureNote title={text.failure.title} error={props.error} onRetry={props.onRetry} />
  return (
    <EmptyNote
      icon={<RocketLaunchIcon />}
      title={capabilitiesText.notLive.title}
      hint={capabilitiesText.notLive.hint}
      action={
        <LinkButton variant="primary" href={href.ship(props.projectId)}>
          {capabilitiesText.notLive.action}
        </LinkButton>
      }
    />
  )
}
