// Every page, with its required contents.

import { ask, site } from './site.mjs'

/** A protein with domains, and one with biomes. */
export const WITH_DOMAINS = 'MGYP004580811409'
export const WITH_BIOMES = 'MGYP004580619181'

const sequence = 'MKVLAAGIVGLCAKVLAAGIVVVKLMKVLAAGIVGLCA'

/**
 * The pages: names and addresses; the selector of a picture; the status, if it is not 200; and
 * selectors of data that must also exist without scripts.
 */
export const PAGES = [
  { name: 'home', path: '/portal/', picture: '[data-plot=biomes]', data: '.numbers a, [data-plot=biomes] svg a, .tree tbody tr' },
  { name: 'search', path: '/portal/search', data: '#filters .choices a, #hits, tbody tr' },
  { name: 'search-hits', path: '/portal/search?pfam=PF00005&limit=10', data: 'tbody tr' },
  { name: 'search-columns', path: '/portal/search?biome=root%3AHost-associated&limit=5&fields=accession,length,cluster_size,full_length,pfam,clans,biomes,md5', data: 'tbody tr' },
  { name: 'search-no-hits', path: '/portal/search?pfam=PF00005&min_length=99999', data: '#hits' },
  { name: 'search-faults', path: '/portal/search?pfam=x&min_length=a&q=length:y', status: 422, data: '.problem' },
  { name: 'protein-domains', path: `/portal/proteins/${WITH_DOMAINS}`, picture: '[data-plot=domains]', data: '[data-plot=domains] svg a, #hits tbody tr, .sequence mark' },
  { name: 'protein-biomes', path: `/portal/proteins/${WITH_BIOMES}`, data: 'tbody tr, .sequence > div' },
  { name: 'biomes', path: '/portal/biomes', picture: '[data-plot=biomes]', data: '[data-plot=biomes] svg a, .tree tbody tr' },
  { name: 'biome', path: '/portal/biomes/root%3AEnvironmental%3AAquatic', picture: '[data-plot=biomes]', data: '[data-plot=biomes] svg a, .tree tbody tr, dd' },
  { name: 'families', path: '/portal/families?text=transporter', data: 'tbody tr' },
  { name: 'family', path: '/portal/families/PF00005', picture: '[data-plot=biomes]', data: '[data-plot=biomes] svg a, .tree tbody tr, .column' },
  { name: 'clan', path: '/portal/clans/CL0023', picture: '[data-plot=biomes]', data: '[data-plot=biomes] svg a, .tree tbody tr, .column' },
  { name: 'studies', path: '/portal/studies?page_size=8', data: 'tbody tr' },
  { name: 'samples', path: '/portal/samples?page_size=8', picture: '.map .tools > button', data: 'tbody tr' },
  { name: 'samples-filtered', path: '/portal/samples?lineage=root%3AEnvironmental&search=soil&page_size=5', picture: '.map .tools > button', data: 'tbody tr' },
  { name: 'runs', path: '/portal/runs?page_size=5', data: 'tbody tr' },
  { name: 'assemblies', path: '/portal/assemblies?page_size=5', data: 'tbody tr' },
  { name: 'analyses', path: '/portal/analyses?page_size=5', data: 'tbody tr' },
  { name: 'publications', path: '/portal/publications?page_size=5', data: 'tbody tr' },
  { name: 'no-super-studies', path: '/portal/super-studies', data: '#results' },
  { name: 'study', path: '/portal/studies/MGYS00000257', data: '.pairs tbody tr' },
  { name: 'sample', path: '/portal/samples/ERS487899', picture: '.map .tools > button', data: '.pairs tbody tr' },
  { name: 'run', path: '/portal/runs/SRR997122', data: '.pairs tbody tr' },
  { name: 'assembly', path: '/portal/assemblies/ERZ477906', data: '.pairs tbody tr' },
  { name: 'analysis', path: '/portal/analyses/MGYA00135572', data: '.pairs tbody tr' },
  { name: 'study-files', path: '/portal/studies/MGYS00000260', data: '#files, #urls + p' },
  { name: 'analysis-annotations', path: '/portal/analyses/MGYA09000003', data: '.histogram tbody tr' },
  { name: 'assembly-genomes', path: '/portal/assemblies/ERZ9990001', data: 'tbody tr' },
  { name: 'genome', path: '/portal/genomes/MGYG000000003', data: '#files, .histogram tbody tr' },
  { name: 'genome-catalogue', path: '/portal/genome-catalogues/human-gut-v2-0-2', data: '#files' },
  { name: 'publication', path: '/portal/publications/29312205', data: '.pairs tbody tr' },
  { name: 'hostile-study', path: `/portal/studies/${site.study}`, data: 'h1 .name' },
  { name: 'hostile-sample', path: `/portal/samples/${site.sample}`, data: '.pairs tbody tr' },
  { name: 'related', path: '/portal/studies/MGYS00000257/samples?page_size=5', picture: '.map .tools > button', data: 'tbody tr' },
  { name: 'compare-empty', path: '/portal/compare', data: 'textarea' },
  { name: 'compare', path: `/portal/compare?proteins=${WITH_DOMAINS}+${WITH_BIOMES}+nope`, data: 'tbody tr, [data-plot=families-heat] svg a' },
  { name: 'contrast', path: '/portal/contrast?q=root:Environmental:Aquatic&against=Human', data: '.families tbody tr' },
  { name: 'contrast-faults', path: '/portal/contrast?q=marin&against=pfam:x', status: 422, data: '.problem' },
  { name: 'similar', path: `/portal/similar?query=${WITH_DOMAINS}`, data: '#query' },
  { name: 'find-near', path: '/portal/find?text=marine', data: 'main li' },
  { name: 'find-words', path: '/portal/find?text=diurnal', data: 'main li' },
  { name: 'find-sequence', path: `/portal/find?text=${sequence}`, data: '.problem' },
  { name: 'synthetic', path: '/portal/find?text=synthetic-ERZ477902-1', picture: '[data-plot=neighbours]', data: '.own, [data-plot=neighbours] svg a, tbody tr' },
  { name: 'glossary', path: '/portal/glossary', data: 'dt' },
  { name: 'list-faults', path: '/portal/samples?geo_loc_name=(&page_size=5', status: 400, data: '#filters .problem' },
  { name: 'list-empty', path: '/portal/samples?geo_loc_name=Norway&m_key1=pH&m_is1=%3E%3D&m_value1=99', data: '#results, main li' },
  { name: 'no-protein', path: '/portal/proteins/MGYP999999999998', status: 404, data: '.problem, main li' },
  { name: 'find-nothing', path: '/portal/find?text=xyzzyx', data: '.problem' },
  { name: 'profile', path: '/portal/profile', needsScript: true },
  { name: 'domain-profile', path: `/portal/domains/${site.domain}`, needsScript: true },
  { name: 'status', path: '/portal/status', data: 'tbody tr' },
  { name: 'not-found', path: '/portal/nope', status: 404, data: '.problem' },
]

/** The services, by the titles of their documentation. */
export const SERVICES = {
  'Proteins, version 2': '/metagenomics/proteins/api/v2',
  'Proteins, version 1': '/metagenomics/proteins/api/v1',
  Refget: '/metagenomics/proteins/refget',
  'Catalogue, version 1': '/metagenomics/api/v1',
  'Catalogue, version 2': '/metagenomics/api/v2',
  Profiles: '/profiles',
}

/** The chapters of the manual. */
const chapters = new Set([...(await ask('/docs/manual/')).matchAll(/href="([a-z-]+\.html)"/g)].map(([, name]) => name))

/** The pages of the documentation. */
export const DOCUMENTATION = [
  ...Object.entries(SERVICES).map(([name, path]) => ({ name, path: `${path}/docs/`, isOfService: true })),
  ...[...chapters].map(name => ({ name: `manual-${name}`, path: `/docs/manual/${name}` })),
]

/** Goes to a page, and waits until its scripts have drawn. */
export async function open(page, { path, status = 200, picture, needsScript, isOfService }) {
  const answer = await page.goto(path)
  if (answer.status() !== status) throw new Error(`${path}: ${answer.status()}`)
  if (picture) await page.locator(`figure${picture}`).first().waitFor()
  if (needsScript) await showProfile(page)
  if (isOfService) await showOperation(page)
}

/** Gives a page of a profile the token, and waits for the attributes. */
export async function showProfile(page) {
  await page.getByLabel('Token').fill(site.token)
  await page.getByRole('button', { name: 'Show the profile' }).click()
  await page.locator('#profile input, #profile textarea').first().waitFor()
}

/** Opens the first group of the documentation of a service, and its first operation, and asks it. */
async function showOperation(page) {
  await page.locator('.opblock-tag').first().click()
  await page.locator('.opblock-summary-control').first().click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.locator('.live-responses-table .response-col_status').first().waitFor()
}
