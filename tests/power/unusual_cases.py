"""The unusual tasks themselves, one a function, its name what is unusual."""

from __future__ import annotations

from tests.power.clean_tasks import clean_task
from tests.power.draft import Draft
from tests.power.unusual import add, case, dimension, each, holding, rewrite, settle

POINTS = {"full": "0.05 pp"}


@case
def growth_from_a_negative_base() -> Draft:
    draft = holding("free_cash", "revenue_growth")
    each(draft, "result", "FY2022", -400, -7)
    each(draft, "result", "FY2023", 300, 977)
    return rewrite(
        draft,
        "revenue_growth",
        "Change of the result on the year before, as a percentage of the size of that year's, to one decimal.",
        ("answer", "(result - result[-1]) / abs(result[-1])"),
        scoring={"full": "0.5 pp"},
    )


@case
def a_sum_of_four_quarters() -> Draft:
    draft = holding("free_cash")
    ends = (("01-01", "03-31"), ("04-01", "06-30"), ("07-01", "09-30"), ("10-01", "12-31"))
    for place, (first, last) in enumerate(ends, start=1):
        draft.task["periods"][f"Q{place}"] = {"default": f"2023-{first}/2023-{last}"}
        each(draft, "orders", f"Q{place}", 700 + 31 * place, 11 * place)
    ask = "Orders of the year, as the sum of its four quarters."
    return rewrite(draft, "free_cash", ask, ("answer", " + ".join(f"orders['Q{place}']" for place in range(1, 5))))


@case
def a_half_year_of_two_quarters() -> Draft:
    draft = holding("free_cash")
    for place, (first, last) in enumerate((("01-01", "03-31"), ("04-01", "06-30")), start=1):
        draft.task["periods"][f"Q{place}"] = {"default": f"2023-{first}/2023-{last}"}
        each(draft, "orders", f"Q{place}", 700 + 31 * place, 11 * place)
    draft.task["periods"]["H1"] = {"default": "2023-01-01/2023-06-30"}
    ask = "Orders of the first half of 2023, as the sum of two quarters."
    return rewrite(draft, "free_cash", ask, ("answer", "sum(orders['Q1'], orders['Q2'])"), period="H1")


@case
def a_year_of_52_weeks_after_one_of_53() -> Draft:
    draft = holding("revenue_growth")
    entity = draft.entities()[1]
    own = {"FY2023": "2023-01-02/2023-12-31", "FY2022": "2021-12-27/2023-01-01", "FY2021": "2020-12-28/2021-12-26"}
    for label, dates in own.items():
        draft.task["periods"][label][entity] = dates
    return settle(draft)


@case
def a_year_of_one_s_own_under_every_label() -> Draft:
    draft = holding("revenue_growth")
    for year in (2021, 2022, 2023):
        draft.task["periods"][f"FY{year}"][draft.entities()[0]] = f"{year}-02-01/{year + 1}-01-31"
    for source in draft.sources:
        source["published"] = max(source["published"], "2024-03-01")
    return settle(draft)


@case
def a_return_on_an_average_of_two_days() -> Draft:
    draft = holding("gross_margin")
    for day, first in (("2023-12-31", 5200), ("2022-12-31", 4900)):
        each(draft, "equity", day, first, 4017)
    return rewrite(
        draft,
        "gross_margin",
        "Revenue as a percentage of average equity, the mean of both ends of the year, to one decimal.",
        ("answer", "revenue / mean(equity, equity[-1])"),
        scoring={"full": "0.1 pp"},
    )


@case
def an_entity_in_another_currency() -> Draft:
    draft = holding("free_cash", "total_revenue")
    own, other = draft.task["entities"][0]["currency"], "GBP"
    entity = draft.entities()[2]
    draft.task["entities"][2]["currency"] = other
    for fact in draft.facts:
        if fact["entity"] == entity and fact["unit"] == own:
            fact["unit"] = other
        if fact["entity"] == entity and fact["unit"].startswith(own + "/"):
            fact["unit"] = fact["unit"].replace(own, other)
    for item in draft.task["dimensions"]:
        if item["unit"].split("/")[0] == own:
            item.setdefault("overrides", {}).setdefault(entity, {})["unit"] = item["unit"].replace(own, other)
    return settle(draft)


@case
def amounts_brought_to_one_currency() -> Draft:
    draft = holding("free_cash")
    for place, entity in enumerate(draft.entities()):
        add(draft, entity, "sales_abroad", "FY2023", f"{900 + 411 * place * place:,}", unit="GBP")
    currency = draft.task["entities"][0]["currency"]
    rate = add(draft, draft.entities()[0], "fx", "FY2023", "1.1502", unit=f"{currency}/GBP", scale="0", label="Rate")
    rate.update(entity="*", id="fx.gbp.fy2023", name=f"fx.gbp_{currency.lower()}.average")
    ask = f"Sales abroad, brought from GBP to {currency} at the average rate of the year."
    return rewrite(draft, "free_cash", ask, ("answer", f"to(sales_abroad, {currency}, average)"))


@case
def a_cell_not_available_with_searches_of_its_own() -> Draft:
    draft = holding("research_share")
    for row in draft.cells_where(answer_type="not_available"):
        draft.tables["searches"].append(
            {
                "entity": row["entity"],
                "dimension": row["dimension"],
                "query": '"research" in the report',
                "url": "https://www.breweries.org/search?q=research",
                "date": "2024-11-02",
                "outcome": "no such line",
            }
        )
    return draft


@case
def a_rank_from_the_smallest() -> Draft:
    draft = holding("research_rank", "research_share")
    ask = "Rank by research expense among those that disclose it, 1 for the smallest."
    return rewrite(
        draft, "research_rank", ask, ("answer", "rank(research, available(all.research), ascending)"), near_misses=[]
    )


@case
def a_count_printed_in_full() -> Draft:
    draft = holding("total_revenue")
    for place, entity in enumerate(draft.entities()):
        add(draft, entity, "breweries_run", "FY2023", str(3 + 9 * place), unit="count", scale="0")
    ask = "Breweries that the company runs at the year's end."
    return rewrite(draft, "total_revenue", ask, ("answer", "breweries_run"), unit="count", scoring={"full": "exact"})


@case
def a_change_in_basis_points() -> Draft:
    draft = holding("margin_change")
    return rewrite(
        draft,
        "margin_change",
        "Change of the gross margin on the year before, in basis points.",
        ("now", "(revenue - cost) / revenue"),
        ("before", "(revenue[-1] - cost[-1]) / revenue[-1]"),
        ("answer", "now - before"),
        unit="bp",
        scoring={"full": "5 bp"},
        near_misses=[{"id": "reversed", "expr": "before - now"}],
    )


@case
def a_total_that_is_a_sum_of_parts() -> Draft:
    draft = holding("total_revenue", "beer_share")
    ask = "Sales of beer and of cider together."
    return rewrite(draft, "total_revenue", ask, ("answer", "sum(revenue.*)"))


@case
def shares_in_thousands() -> Draft:
    draft = holding("free_cash", "earnings_per_share")
    each(draft, "shares_diluted", "FY2023", 81_234, 1_017, unit="share", scale="3")
    currency = draft.task["entities"][0]["currency"]
    return rewrite(
        draft,
        "free_cash",
        "Cash from operations divided by the diluted number of shares.",
        ("answer", "cash_flow / shares_diluted"),
        unit=f"{currency}/share",
    )


@case
def a_compound_growth_over_two_years() -> Draft:
    draft = holding("revenue_growth", "average_revenue")
    return rewrite(
        draft,
        "revenue_growth",
        "Compound annual growth of revenue over the two years to this one, in percent to one decimal.",
        ("answer", "cagr(revenue[-2], revenue, 2)"),
    )


@case
def a_decline_told_as_one() -> Draft:
    draft = holding("revenue_growth")
    return rewrite(
        draft,
        "revenue_growth",
        "Decline of revenue on the year before, as a percentage of that year's, to one decimal; a rise is negative.",
        ("answer", "(revenue[-1] - revenue) / revenue[-1]"),
    )


@case
def the_size_of_a_change_without_its_sign() -> Draft:
    draft = holding("revenue_growth")
    return rewrite(
        draft,
        "revenue_growth",
        "Absolute size of the change of revenue on the year before, as a percentage of that year's, to one decimal.",
        ("answer", "abs(revenue - revenue[-1]) / revenue[-1]"),
    )


@case
def a_change_over_the_middle_of_both_years() -> Draft:
    draft = holding("revenue_growth")
    return rewrite(
        draft,
        "revenue_growth",
        "Change of revenue on the year before, as a percentage of the average of both years, to one decimal.",
        ("answer", "(revenue - revenue[-1]) / mean(revenue, revenue[-1])"),
    )


@case
def a_multiple_of_the_median_of_all() -> Draft:
    draft = holding("gross_margin")
    return rewrite(
        draft,
        "gross_margin",
        "Revenue as a percentage of the median revenue of all companies, to one decimal.",
        ("answer", "revenue / median(all.revenue)"),
    )


@case
def an_average_a_head() -> Draft:
    draft = holding("revenue_per_head")
    dimension(draft, "revenue_per_head")["ask"] = "Average revenue per employee at the year's end."
    return draft


@case
def an_index_of_last_year() -> Draft:
    draft = holding("revenue_growth")
    ask = "Revenue as a percentage of that of the year before, to one decimal."
    scoring = {"full": "0.05 pp", "partial": "0.5 pp"}
    return rewrite(draft, "revenue_growth", ask, ("answer", "revenue / revenue[-1]"), scoring=scoring)


@case
def a_law_s_year_in_an_ask() -> Draft:
    draft = holding("gross_margin")
    dimension(draft, "gross_margin")["ask"] += " The Brewing Act of 2009 does not matter here."
    return draft


@case
def a_question_in_german() -> Draft:
    draft = clean_task(7, (7, 8))
    draft.task["language"] = "de"
    draft.task["question"] = "Wie erging es diesen Brauereien in ihrem Geschäftsjahr 2023?"
    for item in draft.task["dimensions"]:
        item["ask"] = f"Gesucht: {item['id'].replace('_', ' ')}, wie zuerst berichtet, auf eine Nachkommastelle."
    return draft


@case
def names_of_one_word_in_common() -> Draft:
    draft = holding("gross_margin")
    draft.task["entities"][0].update(name="Alfa Brewing", aliases=["Alfa"])
    draft.task["entities"][1].update(name="Beta Brewing", aliases=["Beta", "Bêta"])
    return draft


@case
def letters_with_accents_and_signs_of_science() -> Draft:
    draft = holding("gross_margin")
    draft.task["entities"][0]["aliases"] = ["Société Alfa", "Альфа", "アルファ"]
    draft.task["title"] = "Breweries: ΔT, CO₂ and µg compared — “fairly”"
    draft.sources[0]["title"] = "Rapport annuel de la Société Alfa, São Paulo"
    return draft


@case
def two_people_of_nearly_one_name() -> Draft:
    draft = holding("gross_margin")
    draft.task["contributors"] = ["ana", "anna", "ben"]
    draft.cells[0]["annotator"] = "anna"
    return draft


@case
def a_fact_replaced_by_its_publisher() -> Draft:
    draft = holding("gross_margin")
    fact = draft.facts_where(name="revenue", period="FY2023", rank="primary")[0]
    old = {**fact, "id": fact["id"] + ".withdrawn", "rank": "superseded", "as_written": "7", "value": "7000000"}
    draft.facts.append(old)
    draft.with_quote(old, "Revenue as first printed, withdrawn: 7")
    fact["supersedes"] = old["id"]
    return draft


@case
def the_parent_s_figure_beside_the_group_s() -> Draft:
    draft = holding("gross_margin")
    fact = draft.facts_where(name="cost", period="FY2023", rank="primary")[0]
    row = add(draft, fact["entity"], "cost", "FY2023", "1,234", rank="context", scope="parent", label="Parent's cost")
    row.update(id=fact["id"] + ".parent", scope="parent")
    return draft


@case
def a_quote_that_names_both_years() -> Draft:
    draft = holding("gross_margin")
    fact = draft.facts_where(name="cost", period="FY2023", rank="primary")[0]
    draft.with_quote(fact, f"Cost of sales {fact['as_written']} in 2023 and less in 2022")
    return draft


@case
def a_forecast_called_an_estimate() -> Draft:
    draft = holding("total_revenue")
    draft.task["periods"]["FY2024"] = {"default": "2024-01-01/2024-12-31"}
    each(draft, "orders", "FY2024", 700, 13, basis="estimated")
    return rewrite(draft, "total_revenue", "Orders expected for 2024.", ("answer", "orders"), period="FY2024")


@case
def a_scale_word_in_the_figure_itself() -> Draft:
    draft = holding("total_revenue", "gross_margin")
    fact = draft.facts_where(name="revenue", rank="context") or draft.facts_where(name="revenue", period="FY2023")
    row = {**fact[0], "id": fact[0]["id"] + ".words", "rank": "context", "as_written": "3.5 billion", "name": "assets"}
    row.update(value="3500000000", scale="9", quote="")
    draft.facts.append(row)
    draft.with_quote(row, "Total assets of 3.5 billion")
    return draft


@case
def six_by_ten() -> Draft:
    return clean_task(11, (6, 10))


@case
def ten_by_six() -> Draft:
    return clean_task(12, (10, 6))
