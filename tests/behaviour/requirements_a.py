"""Promises of group A: ranking and the recall trace."""

ROWS: dict[str, tuple[str, ...]] = {
    "A1": (
        "Recall turns a goal into queries, ranks beliefs and episodes, and returns a small set that fits its budget.",
        "built",
    ),
    "A2": (
        "Whole documents have a store, a read and a budget of their own and share only fusion and ranking.",
        "built",
    ),
    "A3": (
        "Expanding candidates over the entity graph is an arm of its own, which no profile runs unless switched on.",
        "built",
    ),
    "A4": ("What a session caches at the head of its prompt is assembled once and never changes a byte.", "built"),
    "A5": (
        "The only memory in the prefix is one frozen snapshot; later recalls and corrections join the user's turn.",
        "built",
    ),
    "A6": (
        "A recalled record carries the trust level MEMORY and cannot change policy, permissions or approvals.",
        "built",
    ),
    "A7": (
        "Remembered text is screened for injection whenever it is loaded, and an item that fails is not shown.",
        "built",
    ),
    "A8": (
        "The owner's persona stands above the snapshot and changes only when the owner affirms it.",
        "decided_otherwise",
        "a persona is the host's own text and no record; `core` is what may stand beside it: docs/decisions/0029",
    ),
    "A9": (
        "Tenant, principal and sensitivity ceiling stand in the query itself, so no score carries a record across.",
        "built",
    ),
    "A10": ("A project changes how a record ranks and reads, not who may see it.", "built"),
    "A11": (
        "Live recall weighs active records fully and provisional ones little, and omits superseded and expired ones.",
        "built",
    ),
    "A12": ("No recall happens without a trace.", "built"),
    "A13": (
        "The lexical arm comes first, and the dense arm joins only after a measured gain.",
        "decided_otherwise",
        "the dense arm is on by default because it was measured to pay; lexical alone is the reported fallback",
    ),
    "A14": (
        "A snapshot is built once, at session start, from durable user records and a few primed by the opening goal.",
        "built",
    ),
    "A15": (
        "A snapshot drops provisional records before any limit, so that recent ones never push older active ones out.",
        "built",
    ),
    "A16": ("A snapshot's trace holds the query that was really run.", "built"),
    "A17": (
        "The core profile also ranks turn deltas, where provisional records stay in at their reduced weight.",
        "built",
    ),
    "A18": (
        "In-turn recall runs when the formed query promises a hit above a floor, or when the agent searches.",
        "later",
        "session moments",
    ),
    "A19": ("What in-turn recall finds is placed beside the goal in the user's turn.", "built"),
    "A20": (
        "A child run recalls in its own scope and budget and never inherits its parent's snapshot.",
        "later",
        "session moments",
    ),
    "A21": ("A session remembers the store position at which its snapshot was taken.", "built"),
    "A22": ("That watermark is the head of the store, not the newest record the snapshot returned.", "built"),
    "A23": (
        "Whatever changed a belief after the watermark makes it eligible for a later turn.",
        "later",
        "session moments",
    ),
    "A24": ("A recall can ask for records from a minimum position on, inside the query rather than after it.", "built"),
    "A25": (
        "When a snapshot belief is corrected mid-session, the turn says which id ended, when, and what succeeded it.",
        "built",
    ),
    "A26": ("Correction lines survive any shortage of budget.", "built"),
    "A27": ("A correction never rewrites the prefix.", "built"),
    "A28": ("Fixed platform text ranks a correction, and the turn at hand, above whatever memory says.", "built"),
    "A29": (
        "A snapshot ends at its item cap, its token cap or two percent of the window, whichever comes first.",
        "built",
    ),
    "A30": (
        "An interactive session's snapshot holds at most 40 items, 1,500 tokens and two percent of the window.",
        "built",
    ),
    "A31": (
        "A long-running session's snapshot holds at most 80 items, 3,000 tokens and two percent of the window.",
        "built",
    ),
    "A32": ("A child run's snapshot holds at most 15 items, 500 tokens and two percent of the window.", "built"),
    "A33": ("A bigger window never lifts a snapshot above its absolute caps.", "built"),
    "A34": (
        "Two thirds of a snapshot's items are reserved for durable user records; the opening goal primes the rest.",
        "built",
    ),
    "A35": ("Priming places that stay empty are not filled with something else.", "built"),
    "A36": ("The relevance floor holds inside a snapshot, whose cap is a ceiling and never a quota.", "built"),
    "A37": (
        "Traces show what share of a snapshot was ever cited, so that an unused snapshot can be shrunk.",
        "later",
        "session moments",
    ),
    "A38": (
        "Traces show which later recalls brought a belief the snapshot should have held.",
        "later",
        "session moments",
    ),
    "A39": ("A belief with a standing persona entry stays out of the snapshot until that entry is removed.", "built"),
    "A40": ("The persona exclusion touches neither in-turn recall nor explicit search.", "built"),
    "A41": (
        "A change in what snapshots hold records the deterministic baseline anew in the same commit.",
        "later",
        "session moments",
    ),
    "A42": (
        "A question about what is true is answered by beliefs: ranked, free of duplicates, valid at one instant.",
        "built",
    ),
    "A43": (
        "A question about what happened is answered by episodes in time order, by session or period, repeats included.",
        "built",
    ),
    "A44": ("Old episodes are reached only when an agent asks, within a budget of their own.", "built"),
    "A45": (
        "Episodes are searched for a question about events, or when no belief on a clearly named subject passes.",
        "decided_otherwise",
        "both are searched, and what escalates is the share of the places that turns get: decision 0023",
    ),
    "A46": ("Archival recall never starts by itself and spends only its own budget.", "built"),
    "A47": ("Working state is never retrieved, since the caller already holds it.", "built"),
    "A48": ("Every belief of a principal may compete in every project; scope affinity decides how strongly.", "built"),
    "A49": ("Isolation is decided in the database before any score exists, and never by a ranking feature.", "built"),
    "A50": (
        "Portability is fixed when a record is formed; portable preferences, norms and skills carry nearly whole.",
        "built",
    ),
    "A51": (
        "Contextual records carry to other projects and always name the project they came from.",
        "built",
    ),
    "A52": (
        "Local records carry only when their subject is asked for, at a steep discount, with their origin.",
        "built",
    ),
    "A53": (
        "A record recalled outside its origin says where it was learned and drops one confidence band.",
        "built",
    ),
    "A54": ("The same belief seen independently in two projects is promoted to the user's scope.", "built"),
    "A55": (
        "A promoted belief loses its origin mark, ranks at full weight everywhere and may enter snapshots.",
        "built",
    ),
    "A56": ("A trace marks every record that was carried in from another project.", "built"),
    "A57": (
        "An explicit rule of the current project outranks a carried belief.",
        "built",
    ),
    "A58": (
        "Candidates are nominated by relevance instead of age, and an optional arm first has to prove its worth.",
        "built",
    ),
    "A59": ("A query is never just an embedding of the user's last message.", "built"),
    "A60": (
        "Forming reads the objective, open questions, entities with aliases, the message and the session's scope.",
        "built",
    ),
    "A61": ("Forming asks the structured arm for the entities in play and the other arms for the meaning.", "built"),
    "A62": ("The query former can be replaced, is deterministic by default and calls no model.", "built"),
    "A63": ("A model may help to form queries only behind an evaluation and a cache.", "built"),
    "A64": ("A question about oneself anchors the structured arm to the type it asks for.", "built"),
    "A65": ("Such an anchor keeps other personal types from using up the candidate limit.", "built"),
    "A66": ("Each clause of a compound question keeps its own types.", "built"),
    "A67": ("A question about routines over time looks at preferences and user attributes together.", "built"),
    "A68": ("An anchor by type alone matches at 0.25, an exact subject at 1.0, and lexical matches as usual.", "built"),
    "A69": ("Asking for advice does not start the profile lookup.", "built"),
    "A70": ("A how-to question starts the profile lookup only with an explicit profile predicate.", "built"),
    "A71": (
        "The profile lookup respects every cap, weight and fence, raises nothing provisional and feeds no snapshot.",
        "built",
    ),
    "A72": (
        "A possessive anchors affirmed statements of owning or using, among user attributes on things and projects.",
        "built",
    ),
    "A73": ("A deliberate search also understands keywords that name the user or owner.", "built"),
    "A74": (
        "An ownership statement begins with the user and a present owning verb; negation and past use do not anchor.",
        "built",
    ),
    "A75": ("The ownership lookup neither lists all personal attributes nor relies on a list of brands.", "built"),
    "A76": ("Clauses about relations and likings stay anchored to their types beside an ownership anchor.", "built"),
    "A77": (
        "A query records whether owned resources are included, and one saved before that field existed says no.",
        "built",
    ),
    "A78": (
        "Both databases put matching ownership candidates first, before the candidate limit, in history too.",
        "built",
    ),
    "A79": ("An ownership anchor matches at 0.5.", "built"),
    "A80": (
        "A delta recall drops ownership, text and type anchors alike, and snapshots still exclude provisional records.",
        "built",
    ),
    "A81": (
        "A query that used the ownership lookup names it in policy and header; others keep their policy name.",
        "built",
    ),
    "A82": (
        "A frozen benchmark of a source keeps its figures when the ownership lookup is added.",
        "not_ours",
        "a frozen artefact of a source; our baseline is our own",
    ),
    "A83": ("Tenant and principal narrow every search before it reads anything.", "built"),
    "A84": ("Superseded and expired records are left out unless the query asks for history.", "built"),
    "A85": ("Only records valid at `as_of` can match, by a half-open interval, with now as the default.", "built"),
    "A86": ("No record more sensitive than its surface allows can match.", "built"),
    "A87": (
        "Another project's local record is left out, before any limit, unless the query names its subject.",
        "built",
    ),
    "A88": ("Local records aside, the current project excludes nothing.", "built"),
    "A89": (
        "Arms share one deadline and run together; a slow one is reported as degraded and never holds up the turn.",
        "decided_otherwise",
        "one deadline that the engine keeps, and reports of what fell short; in turn on one snapshot: decision 0020",
    ),
    "A90": ("The structured arm always runs, by subject, type and scope, without scoring.", "built"),
    "A91": (
        "The lexical arm always runs, by the database's full text with trigrams for names and typing errors.",
        "decided_otherwise",
        "one posting table and one BM25F of ours serve both databases, exhaustive and equal, with trigrams of ours",
    ),
    "A92": (
        "A bounded list of function words is dropped before candidates are found; negation and content words stay.",
        "built",
    ),
    "A93": (
        "A query made of function words alone matches nothing lexically, yet a subject it names is still found.",
        "built",
    ),
    "A94": ("Reading records literally, by id or list, is untouched by the dropping of function words.", "built"),
    "A95": ("The rules of lexical matching belong to a versioned retrieval policy that the trace names.", "built"),
    "A96": (
        "The dense arm is optional, off at first, and enabled by configuration after a measured gain.",
        "decided_otherwise",
        "the dense arm is on by default because it was measured to pay; one setting switches it off",
    ),
    "A97": (
        "Records one relation away in the entity graph can come in through an arm of their own.",
        "built",
    ),
    "A98": (
        "An outside provider can join as one more arm behind the same fusion.",
        "built",
    ),
    "A99": ("Reciprocal-rank fusion adds 1/(60 + rank) over the arms that found a record.", "built"),
    "A100": ("An arm can be added or removed without touching the weights of the others.", "built"),
    "A101": (
        "The score is a written weighted sum: match, confidence, reinforcement, authority, scope, utility, penalties.",
        "built",
    ),
    "A102": ("Confidence counts in full for an active record and at 0.4 for a provisional one.", "built"),
    "A103": (
        "Reinforcement grows with the log of the evidence and fades with the time since the last of it, by type.",
        "built",
    ),
    "A104": ("What the user said outranks what an agent affirmed, which outranks what was inferred.", "built"),
    "A105": (
        "Records of this project, the user and everyone rank alike; carried ones are discounted by portability.",
        "built",
    ),
    "A106": (
        "A review flag, a passed expiry hint and a near-duplicate ranked above each cost a penalty.",
        "built",
    ),
    "A107": (
        "The core profile prefers durability and authority to match; the task profile leans on match and scope.",
        "built",
    ),
    "A108": ("Weights are chosen by hand and versioned, and every trace names their version.", "built"),
    "A109": (
        "A learned ranker waits until traces carry labels.",
        "later",
        "traces say what was used and carry no verdict to learn from; so nothing is learned from them",
    ),
    "A110": ("A candidate below the relevance floor is dropped however much budget is left.", "built"),
    "A111": ("Of one fact only the belief valid at `as_of` is shown, never beside the one it replaced.", "built"),
    "A112": ("Two beliefs in unresolved conflict are both shown, and both are marked.", "built"),
    "A113": ("A conflict mark names its partner by short id.", "built"),
    "A114": (
        "One subject gets a limited number of beliefs; a conflict partner is exempt, whichever way the link points.",
        "built",
    ),
    "A115": (
        "An exact restatement is merged into the better one; a merely similar belief is demoted, not dropped.",
        "built",
    ),
    "A116": (
        "An item that fails the injection screen keeps its id and shows `[BLOCKED]`, and no other item suffers.",
        "built",
    ),
    "A117": ("Content above the current surface's ceiling is caught once more before rendering.", "built"),
    "A118": ("A block never shows a secret, a credential or private reasoning.", "built"),
    "A119": ("A block is filled best first within its token budget, and nothing below the floor enters it.", "built"),
    "A120": ("When the prompt's body is too long, in-turn recall gives way early.", "built"),
    "A121": (
        "A block carries `as_of` and policy and gives each item one line with id, origin, authority and band.",
        "built",
    ),
    "A122": ("Items follow a written total order, score down and id up, whatever order they were stored in.", "built"),
    "A123": ("Confidence is shown as high, medium or low, never as a number.", "built"),
    "A124": ("A block holds no clock but `as_of`, no relative time and no counter.", "built"),
    "A125": ("The same records render to the same bytes.", "built"),
    "A126": ("How to treat memory is said by platform text in the prefix, not inside the block.", "built"),
    "A127": ("A record from another project is never rendered without its origin.", "built"),
    "A128": ("Every rendered item shows an id that can be cited.", "built"),
    "A129": (
        "A recall leaves one trace, which is its event, with query, arms, latencies, counts, drops, blocks and policy.",
        "built",
    ),
    "A130": (
        "A cited or plainly used belief gains utility and a later last use.",
        "built",
    ),
    "A131": (
        "Use never renews evidence and never raises confidence.",
        "built",
    ),
    "A132": (
        "A belief returned but not used loses utility.",
        "built",
    ),
    "A133": ("A subject asked for again and again in vain is queued as a hint for formation.", "built"),
    "A134": (
        "A trace records which carried belief was used.",
        "built",
    ),
    "A135": (
        "A recall request can state every documented field, from scope and types to clocks, profile and budgets.",
        "built",
    ),
    "A136": (
        "A recalled item carries identity, text, standing, origin, validity, score, arms, conflicts and blocking.",
        "built",
    ),
    "A137": ("A recall result carries items, block, tokens, truncation, degraded arms and a trace id.", "built"),
    "A138": (
        "A trace carries session, moment, query, ceiling, hash, latencies, candidates, drops and policy version.",
        "built",
    ),
    "A139": (
        "A traced belief says what it states, when, where and by what authority it was learned, and if it was used.",
        "built",
    ),
    "A140": (
        "The user's view of a trace lists moments and beliefs, with counts of what was held back.",
        "built",
    ),
    "A141": ("The user's view is read from the trace and never written a second time.", "built"),
    "A142": (
        "Retrieving, forming, ranking, searching episodes and tracing are ports with one documented call each.",
        "built",
    ),
    "A143": (
        "The search tool takes text, subjects, hints and clocks and passes the fence, safety and budget of any recall.",
        "built",
    ),
    "A144": (
        "The search tool asks the model to look here before asking the user; absence does not mean unknown.",
        "built",
    ),
    "A145": ("Type hints steer a search softly and never become a filter.", "built"),
    "A146": (
        "Without a scope the session's own applies, in preparing and in running alike; a named one still works.",
        "built",
    ),
    "A147": (
        "A frozen tool of a source keeps an argument that its newer schema refuses.",
        "not_ours",
        "a frozen artefact of a source; our tools have one schema each",
    ),
    "A148": ("`as_of` asks when a fact held; `known_at` asks what the store knew then.", "built"),
    "A149": ("Recalling episodes is an explicit step, bounded by time or session, with its own budget.", "built"),
    "A150": (
        "Both memory tools return MEMORY-trust data under policy, trace and run budget, never past the fence.",
        "built",
    ),
    "A151": (
        "A command prints a principal's trace as JSON with query, ids, scores, arms, drops, hash and policy.",
        "built",
    ),
    "A152": ("Somebody else's trace looks exactly like a missing one.", "built"),
    "A153": ("The recall event and the search result both give the trace id.", "built"),
    "A154": ("One stored trace serves the operator and the user alike.", "built"),
    "A155": (
        "A trace says what was placed in context and what was cited; it guesses at no influence.",
        "built",
    ),
    "A156": (
        "The pass that renders a block also writes its trace and hash; no trace is rebuilt from a second search.",
        "built",
    ),
    "A157": (
        "A turn's view joins its own trace and the snapshot's, each under its moment.",
        "built",
    ),
    "A158": (
        "For each belief the view says what, when, where and from whom it was learned, how sure, and if it was used.",
        "built",
    ),
    "A159": (
        "The view counts what was considered and not shown, and what the screen withheld, without showing it.",
        "built",
    ),
    "A160": (
        "How the search worked inside, from latencies to raw scores, stays out of the view.",
        "built",
    ),
    "A161": ("The view obeys the lower of two ceilings, the recall's and the viewer's.", "built"),
    "A162": (
        "Operator fields are nulled on schedule; the rest of a trace lives and dies with its session.",
        "built",
    ),
    "A163": ("A rejection says untrue, changed or not here, and accordingly retires, supersedes or narrows.", "built"),
    "A164": ("A rejection without a reason flags and weakens a belief but does not retire it.", "built"),
    "A165": ("Rejections are lasting events that any re-derivation replays.", "built"),
    "A166": (
        "Recalling too much is held back by budget, floor and per-subject cap, and measured as noise ratio.",
        "built",
    ),
    "A167": (
        "An outdated fact is kept from passing as current by `as_of`, supersession and fading reinforcement.",
        "built",
    ),
    "A168": (
        "Nothing is buried: blocks are small, best first, and placed beside the goal.",
        "built",
    ),
    "A169": ("Recall stays quick through a shared deadline, partial results and parts computed beforehand.", "built"),
    "A170": ("After a preference changes, only the new one is returned.", "built"),
    "A171": ("A recall with `as_of` returns what was believed at that time.", "built"),
    "A172": ("A poisoned record shows `[BLOCKED]` and changes nothing else in the answer.", "built"),
    "A173": ("No query path returns a single record of another tenant or principal.", "built"),
    "A174": ("The beliefs that a trace lists reproduce the block that its hash covers.", "built"),
    "A175": (
        "No view shows anything above the lower of recall's and viewer's ceilings.",
        "built",
    ),
    "A176": ("A belief once rejected stays away even after an upgrade derives every record again.", "built"),
    "A177": ("Turning memory on does not lower the share of cached prompt tokens.", "later", "session moments"),
    "A178": ("A gain in recall may not cost policy failures, cache use or noise.", "later", "retrieval quality"),
    "A179": (
        "Recall is tracked with noise, transfer precision with lift and tokens with latency, always in pairs.",
        "built",
    ),
    "A180": (
        "The deterministic core and the faithful trace come first; semantic arms follow the evidence.",
        "built",
    ),
    "A181": (
        "Email may yield contextual records for its owner across accounts, while raw communication stays local.",
        "built",
    ),
    "A182": (
        "A dated fact from email that has passed stays out of snapshots, and reading it again renews nothing.",
        "built",
    ),
    "A183": (
        "A later tool of a source keeps both clocks while its frozen tool keeps its schema.",
        "not_ours",
        "a frozen artefact of a source; our tools have one schema each and carry both clocks",
    ),
    "A184": (
        "The gate for faithful traces and the gate for ceilings are registered apart.",
        "built",
    ),
    "A185": (
        "One allocator owns the token budget, and snapshot and in-turn recall are its two memory shares.",
        "later",
        "session moments",
    ),
}
