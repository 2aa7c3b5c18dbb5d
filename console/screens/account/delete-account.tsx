import { href } from '../../routes.ts'
import { deletionText as words } from '../../text/deletion.en.ts'
import { Box, Section } from './section.tsx'

export function DeleteAccount() {
  return (
    <Section title={words.section} lead={words.sectionLead}>
      <Box>
        <a href={href.deletion()} className="font-medium text-kumo-link underline underline-offset-3">
          {words.open}
        </a>
      </Box>
    </Section>
  )
}
