"""The functions of a deployment carry the sample with them."""

ATTRIBUTION = "© OpenStreetMap contributors"


def test_a_deployment_without_any_key_finds_cafes_of_helsinki(api):
    answer = api.post("/v1/maps/search", json={"query": "cafe", "location": "Helsinki", "provider": "osm_extract"})

    body = answer.json()
    assert answer.status_code == 200, body
    assert len(body["results"]) == 20
    assert {row["attribution"] for row in body["results"]} == {ATTRIBUTION}
    assert body["usage"]["units"] == {"maps_place": 20}
    assert body["usage"]["vendor_cost_micros"] == 0


def test_a_job_of_a_deployment_finds_the_same_as_the_call(api):
    asked = {"query": "museum", "location": {"lat": 60.17, "lng": 24.944, "radius_m": 800}, "provider": "osm_extract"}

    called = api.post("/v1/maps/search", json=asked).json()["results"]
    job = api.post("/v1/maps/search", json={**asked, "async": True}).json()["job_id"]
    while (view := api.get(f"/v1/jobs/{job}", params={"limit": 100}).json())["status"] != "completed":
        pass

    assert called
    assert [row["place_id"] for row in view["results"]] == [row["place_id"] for row in called]
