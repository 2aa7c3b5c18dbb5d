import { useQuery } from '@tanstack/react-query'
import { organizationsQuery } from '../../api/organization/organizations.ts'
import { gatesText } from '../../text/gates.en.ts'
import { NewOrganization } from '../organizations/new-organization.tsx'
import { GatePage } from './gate-page.tsx'
import { OtherOrganizations } from '../organizations/other-organizations.tsx'

const words = gatesText.nowhere

/** Shown to a user without an organization, or removed from that of the session. */
export function NowhereGate() {
  const others = useQuery(organizationsQuery()).data ?? []
  const hasLeft = others.length > 0
  return (
    <GatePage title={hasLeft ? words.titleLeft : words.title} lead={hasLeft ? words.leadLeft : words.lead}>
      <OtherOrganizations title={gatesText.switchTitle} />
      <NewOrganization />
    </GatePage>
  )
}
