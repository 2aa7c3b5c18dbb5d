import { CheckCircleIcon, ProhibitIcon } from '@phosphor-icons/react'
import { href } from '../../routes.ts'
import { deviceText } from '../../text/device.en.ts'
import { PageHeading } from '../../ui/page/page.tsx'

export function DeviceOutcome({ name, isApproved }: { name: string; isApproved: boolean }) {
  const Icon = isApproved ? CheckCircleIcon : ProhibitIcon
  const to = isApproved ? href.keys() : href.projects()
  return (
    <section className="space-y-4" role="status">
      <Icon
        weight="fill"
        className={`size-10 ${isApproved ? 'text-added' : 'text-kumo-subtle'}`}
        aria-hidden="true"
      />
      <PageHeading className="text-[26px] break-words">
        {isApproved ? deviceText.approved(name) : deviceText.denied(name)}
      </PageHeading>
      <p className="text-kumo-subtle">{isApproved ? deviceText.approvedHint : deviceText.deniedHint}</p>
      <p>
        <a href={to} className="font-medium text-kumo-link underline underline-offset-3">
          {isApproved ? deviceText.toKeys : deviceText.toProjects}
        </a>
      </p>
    </section>
  )
}
