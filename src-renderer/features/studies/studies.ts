import type { StudyId } from '#shared/schema/study-input.ts'

interface StudyCard {
  readonly id: StudyId
  readonly title: string
  /** What is asked. */
  readonly question: string
  /** Where it was published, and on which chip. */
  readonly figure: string
}

/** The studies of the FlatAttention papers, as they are offered. */
export const studies: readonly StudyCard[] = [
  {
    id: 'group-scale',
    title: 'Group scale',
    question: 'How large should a group of tiles be, and when does flattening hurt?',
    figure: 'arXiv 2604.02110, Fig. 9; numbers of 2505.18824, on its chip',
  },
  {
    id: 'slice',
    title: 'Slice',
    question: 'Which slice keeps the matrix engine busy and still fits in L1?',
    figure: 'arXiv 2604.02110, Fig. 11',
  },
  {
    id: 'collectives',
    title: 'Collectives',
    question: 'What do multicast and reduction in the routers gain over software?',
    figure: 'arXiv 2604.02110, Fig. 7, with 256-bit links',
  },
]
