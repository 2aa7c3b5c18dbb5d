import { gatesText } from '../../text/gates.en.ts'
import { organizationsText as words } from '../../text/organizations.en.ts'
import { OtherOrganizations } from './other-organizations.tsx'

/** Tells the user that the requested page may exist in another organization. */
export function OtherOrganizationNote() {
  return (
    <div className="mt-6 w-80 max-w-full empty:hidden">
      <OtherOrganizations title={gatesText.switchTitle} hint={words.elsewhere} />
    </div>
  )
}
